/** The user's own config file: where it is, and what it says. */
import { dirname } from 'node:path';
import { AppError } from '../core/index.ts';
import { readTextIfPresent } from '../platform/index.ts';
import type { Environment } from './environment.ts';
import { parseConfigFile, type SettingEntries } from './parse-config-file.ts';
import { resolvePath, usualUserFile, type PathBase } from './paths.ts';
import { isUnexpanded } from './read-given.ts';
import type { Setting } from './setting.ts';

export interface UserFileInput {
  readonly env: Environment;
  /** The user file that --config names; it must exist. */
  readonly configFile?: string;
}

export interface ConfigFileState {
  readonly file: string;
  readonly present: boolean;
}

export interface UserFile {
  readonly entries: SettingEntries;
  readonly warnings: readonly string[];
  readonly state: ConfigFileState | undefined;
}

export function readUserFile(input: UserFileInput, base: PathBase, settings: readonly Setting[]): UserFile {
  const { chosen, warnings } = chooseUserFile(input);
  const file = chosen === undefined ? usualUserFile(input.env) : resolvePath(chosen, base);
  if (file === undefined) return { entries: new Map(), warnings, state: undefined };
  const text = readTextIfPresent(file);
  if (text === undefined) {
    if (chosen !== undefined) throw missing(file);
    return { entries: new Map(), warnings, state: { file, present: false } };
  }
  const beside: PathBase = { env: input.env, folder: () => dirname(file) };
  const rules = { resolvePath: (written: string) => resolvePath(written, beside), confined: false };
  const entries = parseConfigFile(
    { kind: 'user_file', file, text, rules, refuse: () => undefined },
    settings,
  );
  return { entries, warnings, state: { file, present: true } };
}

/** The file that --config or WAYMARK_CONFIG names. */
function chooseUserFile({ configFile, env }: UserFileInput): {
  chosen: string | undefined;
  warnings: readonly string[];
} {
  if (configFile !== undefined) return { chosen: configFile, warnings: [] };
  const text = env['WAYMARK_CONFIG'];
  if (text === undefined || text.trim() === '') return { chosen: undefined, warnings: [] };
  if (!isUnexpanded(text)) return { chosen: text, warnings: [] };
  return { chosen: undefined, warnings: ['WAYMARK_CONFIG holds an unexpanded placeholder and is ignored'] };
}

function missing(file: string): AppError {
  return new AppError('bad_config', `There is no config file at ${file}.`, {
    hint: 'Correct --config or WAYMARK_CONFIG, or create the file with {} in it.',
  });
}
