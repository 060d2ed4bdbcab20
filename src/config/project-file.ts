/** A project's own `.waymark.json`: read when the project is resolved, and trusted with little. */
import { join } from 'node:path';
import { readTextIfPresent } from '../platform/index.ts';
import { SETTINGS } from './definitions.ts';
import { outranks } from './origin.ts';
import { parseConfigFile, type SettingEntries } from './parse-config-file.ts';
import { freezeResolved, type ResolvedConfig, type ResolvedSettings } from './resolve-config.ts';
import type { Setting } from './setting.ts';

export const PROJECT_FILE = '.waymark.json';

const MAX_BYTES = 64 * 1024;

/**
 * The config as it holds inside one project: `base`, which resolveConfig made, with what the project's file says above
 * the user file and below variables and flags. `base` itself stays as it is, because each project gets its own overlay.
 */
export function readProjectConfig(base: ResolvedConfig, root: string): ResolvedConfig {
  // Same keys and kinds as the base that is typed: the file only replaces values that parseValue has checked.
  return readProjectSettings(base, root, SETTINGS) as ResolvedConfig;
}

/** The same for any list of settings. */
export function readProjectSettings(
  base: ResolvedSettings,
  root: string,
  settings: readonly Setting[],
): ResolvedSettings {
  const file = join(root, PROJECT_FILE);
  const text = readTextIfPresent(file, { maxBytes: MAX_BYTES, within: root });
  const files = { ...base.files, project: { file, present: text !== undefined } };
  const rules = { resolvePath: (written: string) => join(root, written), confined: true };
  const refuse = (setting: Setting): string | undefined => refuseUntrusted(setting, base.files.user?.file);
  const overlay: SettingEntries =
    text === undefined
      ? new Map()
      : parseConfigFile({ kind: 'project_file', file, text, rules, refuse }, settings);
  const entries = settings.map(({ key }) => {
    const below = { value: base.config[key], origin: base.origins[key] ?? { kind: 'default' as const } };
    const above = overlay.get(key);
    return [key, above !== undefined && outranks(above.origin, below.origin) ? above : below] as const;
  });
  return freezeResolved(entries, { warnings: base.warnings, files });
}

function refuseUntrusted(setting: Setting, userFile: string | undefined): string | undefined {
  if (setting.scope === 'project') return undefined;
  const place = userFile ?? 'your own config file';
  return `a repository is not trusted with ${setting.key}; set it in ${place} or by ${setting.places.length === 0 ? setting.env : setting.flag}`;
}
