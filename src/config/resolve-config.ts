/** Flags, environment, files and defaults to one frozen Config in which every value knows its origin. */
import { join } from 'node:path';
import { readTextIfPresent } from '../platform/index.ts';
import { parseConfigFile, readUserFile, type ConfigFileState, type UserFileInput } from './config-file.ts';
import { SETTINGS, type Config, type SettingKey } from './definitions.ts';
import { findCwd, resolvePath, xdgDirectory, type Environment, type PathBase } from './environment.ts';
import { throwIfAny } from './problem.ts';
import { findUnknownVariables, readFlags, readVariables, type FlagValues } from './read-given.ts';
import { outranks, type Origin, type Setting, type SettingEntry, type SettingValue } from './setting.ts';

export interface ConfigInput extends UserFileInput {
  readonly flags?: FlagValues;
  /** Where relative paths in flags and variables start; the working directory if left out. */
  readonly cwd?: string;
}

export interface ResolvedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<SettingKey, Origin>>;
  /** Findings worth a log record at level warn. */
  readonly warnings: readonly string[];
  readonly files: { readonly user?: ConfigFileState; readonly project?: ConfigFileState };
}

/** Throws one `bad_config` that names every mistake in flags and variables, or every one in the user file. */
export function resolveConfig(input: ConfigInput): ResolvedConfig {
  const { env, flags = {}, cwd } = input;
  const base: PathBase = { env, folder: () => findCwd(cwd) };
  const rules = { resolvePath: (written: string) => resolvePath(written, base), confined: false };
  const flagged = readFlags(flags, rules);
  const named = readVariables(env, rules);
  throwIfAny([...flagged.problems, ...named.problems]);

  const user = readUserFile(input, base);
  const sources = [flagged.entries, named.entries, user.entries];
  return freezeResolved(
    (setting) =>
      sources.map((source) => source.get(setting.key)).find((entry) => entry !== undefined) ??
      defaultEntry(setting, env),
    {
      warnings: [...named.warnings, ...user.warnings, ...findUnknownVariables(env)],
      files: user.state === undefined ? {} : { user: user.state },
    },
  );
}

/** Frozen to the bottom: one service must not change what another reads. */
function freezeResolved(
  entryOf: (setting: Setting) => SettingEntry,
  rest: Pick<ResolvedConfig, 'warnings' | 'files'>,
): ResolvedConfig {
  const entries = SETTINGS.map((setting) => [setting.key, entryOf(setting)] as const);
  const resolved = {
    config: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    origins: Object.fromEntries(entries.map(([key, { origin }]) => [key, origin])),
    ...rest,
  };
  // Every key of SETTINGS has a value of its own kind, from parseValue or a default, and Config maps that list.
  return freezeDeep(resolved) as ResolvedConfig;
}

function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}

function defaultEntry(setting: Setting, env: Environment): SettingEntry {
  const origin = { kind: 'default' } as const;
  if (setting.kind === 'list') return { value: [...setting.default], origin };
  if (setting.kind !== 'path') return { value: setting.default, origin };
  return { value: setting.default && xdgDirectory(setting.default, env), origin };
}

export const PROJECT_FILE = '.waymark.json';

const MAX_BYTES = 64 * 1024;

/**
 * The config as it holds inside one project: `base`, which resolveConfig made, with what the project's file says above
 * the user file and below variables and flags. `base` itself stays as it is, because each project gets its own overlay.
 */
export function readProjectConfig(base: ResolvedConfig, root: string): ResolvedConfig {
  const file = join(root, PROJECT_FILE);
  const text = readTextIfPresent(file, { maxBytes: MAX_BYTES, within: root });
  const rules = { resolvePath: (written: string) => join(root, written), confined: true };
  const refuse = (setting: Setting): string | undefined => refuseUntrusted(setting, base.files.user?.file);
  const overlay =
    text === undefined ? undefined : parseConfigFile({ kind: 'project_file', file, text, rules, refuse });
  const values: Readonly<Record<string, SettingValue>> = base.config;
  const origins: Readonly<Record<string, Origin>> = base.origins;
  return freezeResolved(
    ({ key }) => {
      const below = { value: values[key], origin: origins[key] ?? { kind: 'default' as const } };
      const above = overlay?.get(key);
      return above !== undefined && outranks(above.origin, below.origin) ? above : below;
    },
    {
      warnings: base.warnings,
      files: { ...base.files, project: { file, present: text !== undefined } },
    },
  );
}

function refuseUntrusted(setting: Setting, userFile: string | undefined): string | undefined {
  if (setting.scope === 'project') return undefined;
  const place = userFile ?? 'your own config file';
  return `a repository is not trusted with ${setting.key}; set it in ${place} or by ${setting.places.length === 0 ? setting.env : setting.flag}`;
}
