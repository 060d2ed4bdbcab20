/** Folders that several clients build on, by system. */
import { join } from 'node:path';
import type { Places } from '../client.ts';

/** `$XDG_CONFIG_HOME`, else `~/.config`: for programs that use it on every system. */
export function configHome({ env, home }: Places): string {
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

/** Where desktop programs keep their settings. */
export function appFolder(places: Places, name: string): string {
  const { system, home, env } = places;
  if (system === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (system === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), name);
  return join(configHome(places), name);
}

/** The settings folder of an extension of VS Code. */
export function extensionSettings(places: Places, extension: string): string {
  return join(appFolder(places, 'Code'), 'User', 'globalStorage', extension, 'settings');
}
