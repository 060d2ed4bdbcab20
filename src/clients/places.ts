/** Where clients keep their things on this machine, and which of them are here. */
import { findHome } from '../config/index.ts';
import { homeDirectory, findProgram, pathExists } from '../platform/index.ts';
import type { Client, Places } from './client.ts';

export function currentPlaces(env: Places['env']): Places {
  const { platform } = process;
  return {
    system: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    home: findHome(env) ?? homeDirectory(),
    env,
  };
}

/** What says that the client is installed: a path of its own, or its program on the path. */
export function findSign(client: Client, places: Places): string | undefined {
  const sign = client.signs(places).find((absPath) => pathExists(absPath));
  if (sign !== undefined) return sign;
  const search = { path: places.env['PATH'], extensions: places.env['PATHEXT'] };
  return client.programs.map((name) => findProgram(name, search)).find((found) => found !== undefined);
}
