/** The text of a config file to settings, each with its line; all mistakes in it at once. And where the user file is. */
import { dirname } from 'node:path';
import { AppError } from '../core/index.ts';
import { readTextIfPresent } from '../platform/index.ts';
import { jsoncValue, nearest, type JsoncNode } from '../text/index.ts';
import { SETTINGS } from './definitions.ts';
import { resolvePath, usualUserFile, type Environment, type PathBase } from './environment.ts';
import { parseJson } from './parse-json.ts';
import { parseValue, type ValueRules } from './parse-value.ts';
import { describeKey, renderMismatch, showText, throwIfAny } from './problem.ts';
import { isUnexpanded } from './read-given.ts';
import type { Setting, SettingEntry } from './setting.ts';

interface ConfigFile {
  readonly kind: 'user_file' | 'project_file';
  readonly file: string;
  readonly text: string;
  readonly rules: ValueRules;
  /** Why this file may not set this setting, if it may not. */
  refuse(setting: Setting): string | undefined;
}

/** Lets an editor find the JSON schema; it is no setting. */
const SCHEMA_KEY = '$schema';

export function parseConfigFile(source: ConfigFile): ReadonlyMap<string, SettingEntry> {
  const document = parseJson(source.text, source.file);
  const entries = new Map<string, SettingEntry>();
  const problems: string[] = [];
  const place = (at: number): string => {
    const { line, column } = document.position(at);
    return `${source.file}:${line}:${column}`;
  };

  if (document.root.type !== 'object')
    throwIfAny([`${place(document.root.offset)}: expected an object with settings in it`]);
  for (const member of document.root.children ?? []) {
    const [keyNode, value] = member.children ?? [];
    const key = String(keyNode?.value);
    if (value === undefined || key === SCHEMA_KEY) continue;
    const setting = SETTINGS.find((known) => known.key === key);
    const refusal = setting === undefined ? describeUnknown(key, source) : source.refuse(setting);
    if (setting === undefined || refusal !== undefined) {
      problems.push(`${place(member.offset)}: ${refusal}`);
      continue;
    }
    const parsed = parseValue(setting, jsoncValue(value), source.rules);
    if (parsed.kind === 'problem') {
      const where = `${place(findWrong(value, parsed.item))}: ${setting.key}`;
      const show = source.kind === 'project_file' ? 'type' : 'value';
      problems.push(renderMismatch({ place: where, setting, parsed, show }));
      continue;
    }
    const { line } = document.position(member.offset);
    entries.set(setting.key, { value: parsed.value, origin: { kind: source.kind, file: source.file, line } });
  }
  throwIfAny(problems);
  return entries;
}

function findWrong(value: JsoncNode, item: number | undefined): number {
  const part = value.type === 'array' && item !== undefined ? value.children?.[item] : undefined;
  return (part ?? value).offset;
}

function describeUnknown(key: string, source: ConfigFile): string {
  const allowed = SETTINGS.filter((setting) => source.refuse(setting) === undefined).map(
    (known) => known.key,
  );
  const shown = source.kind === 'project_file' ? describeKey(key) : `"${showText(key)}"`;
  const meant = nearest(key, allowed);
  const advice = meant === undefined ? `expected one of ${allowed.join(', ')}` : `did you mean ${meant}?`;
  return `unknown key ${shown}; ${advice}`;
}

export interface UserFileInput {
  readonly env: Environment;
  /** The user file that --config names; it must exist. */
  readonly configFile?: string;
}

export interface ConfigFileState {
  readonly file: string;
  readonly present: boolean;
}

interface UserFile {
  readonly entries: ReadonlyMap<string, SettingEntry>;
  readonly warnings: readonly string[];
  readonly state: ConfigFileState | undefined;
}

export function readUserFile(input: UserFileInput, base: PathBase): UserFile {
  const { chosen, warnings } = chooseUserFile(input);
  const file = chosen === undefined ? usualUserFile(input.env) : resolvePath(chosen, base);
  if (file === undefined) return { entries: new Map(), warnings, state: undefined };
  const text = readTextIfPresent(file);
  if (text === undefined) {
    if (chosen !== undefined)
      throw new AppError('bad_config', `There is no config file at ${file}.`, {
        hint: 'Correct --config or WAYMARK_CONFIG, or create the file with {} in it.',
      });
    return { entries: new Map(), warnings, state: { file, present: false } };
  }
  const beside: PathBase = { env: input.env, folder: () => dirname(file) };
  const rules = { resolvePath: (written: string) => resolvePath(written, beside), confined: false };
  const entries = parseConfigFile({ kind: 'user_file', file, text, rules, refuse: () => undefined });
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
