/** The text of a config file to settings, each with its line; all mistakes in it at once. */
import { describeKey, showText } from './describe-found.ts';
import { jsoncValue, nearest, type JsoncNode } from '../text/index.ts';
import type { Origin } from './origin.ts';
import { parseJson } from './parse-json.ts';
import { parseValue, type ValueRules } from './parse-value.ts';
import { renderMismatch, throwIfAny } from './problem.ts';
import type { Setting, SettingValue } from './setting.ts';

export interface SettingEntry {
  readonly value: SettingValue;
  readonly origin: Origin;
}

export type SettingEntries = ReadonlyMap<string, SettingEntry>;

export interface ConfigFile {
  readonly kind: 'user_file' | 'project_file';
  readonly file: string;
  readonly text: string;
  readonly rules: ValueRules;
  /** Why this file may not set this setting, if it may not. */
  refuse(setting: Setting): string | undefined;
}

/** Lets an editor find the JSON schema; it is no setting. */
const SCHEMA_KEY = '$schema';

export function parseConfigFile(source: ConfigFile, settings: readonly Setting[]): SettingEntries {
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
    const setting = settings.find((known) => known.key === key);
    const refusal = setting === undefined ? describeUnknown(key, source, settings) : source.refuse(setting);
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

function describeUnknown(key: string, source: ConfigFile, settings: readonly Setting[]): string {
  const allowed = settings
    .filter((setting) => source.refuse(setting) === undefined)
    .map((setting) => setting.key);
  const shown = source.kind === 'project_file' ? describeKey(key) : `"${showText(key)}"`;
  const meant = nearest(key, allowed);
  const advice = meant === undefined ? `expected one of ${allowed.join(', ')}` : `did you mean ${meant}?`;
  return `unknown key ${shown}; ${advice}`;
}
