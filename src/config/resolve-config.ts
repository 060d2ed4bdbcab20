/** Flags, environment, user file and defaults to one frozen Config in which every value knows its origin. */
import { OTHER_ENV, SETTINGS, type Config, type SettingKey } from './definitions.ts';
import type { Environment } from './environment.ts';
import type { Origin } from './origin.ts';
import type { SettingEntry } from './parse-config-file.ts';
import { findCwd, resolvePath, xdgDirectory, type PathBase } from './paths.ts';
import { throwIfAny } from './problem.ts';
import { findUnknownVariables, readFlags, readVariables, type FlagValues } from './read-given.ts';
import type { Setting, SettingValue } from './setting.ts';
import { readUserFile, type ConfigFileState, type UserFileInput } from './user-file.ts';

export interface ConfigInput extends UserFileInput {
  readonly flags?: FlagValues;
  /** Where relative paths in flags and variables start; the working directory if left out. */
  readonly cwd?: string;
}

export interface Resolved<Values, Key extends string> {
  readonly config: Values;
  readonly origins: Readonly<Record<Key, Origin>>;
  /** Findings worth a log record at level warn. */
  readonly warnings: readonly string[];
  readonly files: { readonly user?: ConfigFileState; readonly project?: ConfigFileState };
}

export type ResolvedConfig = Resolved<Config, SettingKey>;
export type ResolvedSettings = Resolved<Readonly<Record<string, SettingValue>>, string>;

/** Throws one `bad_config` that names every mistake in flags and variables, or every one in the user file. */
export function resolveConfig(input: ConfigInput): ResolvedConfig {
  // Every key of SETTINGS is filled by parseValue or a default, both of the entry's own kind, and Config maps that list.
  return resolveSettings(input, SETTINGS) as ResolvedConfig;
}

/** The same for any list of settings. */
export function resolveSettings(input: ConfigInput, settings: readonly Setting[]): ResolvedSettings {
  const { env, flags = {}, cwd } = input;
  const base: PathBase = { env, folder: () => findCwd(cwd) };
  const rules = { resolvePath: (written: string) => resolvePath(written, base), confined: false };
  const flagged = readFlags(flags, rules, settings);
  const named = readVariables(env, rules, settings);
  throwIfAny([...flagged.problems, ...named.problems]);

  const user = readUserFile(input, base, settings);
  const entries = settings.map((setting): readonly [string, SettingEntry] => {
    const given = [flagged.entries, named.entries, user.entries].map((source) => source.get(setting.key));
    return [setting.key, given.find((entry) => entry !== undefined) ?? defaultEntry(setting, env)];
  });
  const known = [...settings.map((setting) => setting.env), ...OTHER_ENV.map(({ name }) => name)];
  return freezeResolved(entries, {
    warnings: [...named.warnings, ...user.warnings, ...findUnknownVariables(env, known)],
    files: user.state === undefined ? {} : { user: user.state },
  });
}

/** Frozen to the bottom: one service must not change what another reads. */
export function freezeResolved(
  entries: readonly (readonly [string, SettingEntry])[],
  rest: Pick<ResolvedSettings, 'warnings' | 'files'>,
): ResolvedSettings {
  return freezeDeep({
    config: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    origins: Object.fromEntries(entries.map(([key, { origin }]) => [key, origin])),
    ...rest,
  });
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
