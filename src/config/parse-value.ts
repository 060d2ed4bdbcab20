/** Parses the value of a setting, for every kind. */
import { posix, win32 } from 'node:path';
import type { Setting, SettingValue } from './setting.ts';

export interface ValueRules {
  /** Makes a written path absolute: `~/` and relative ones mean different things in different places. */
  resolvePath(written: string): string;
  /** Paths and globs must stay inside the project, because a repository wrote them. */
  readonly confined: boolean;
}

export type ParsedValue =
  | { readonly kind: 'value'; readonly value: Exclude<SettingValue, undefined> }
  | {
      readonly kind: 'problem';
      readonly expected: string;
      readonly found: unknown;
      /** Which part of a list is wrong, from 0. */
      readonly item?: number;
      /** Our own words for what is wrong with it; better than showing it. */
      readonly why?: string;
    };

const MAX_TEXT = 4096;
const MAX_ITEMS = 1000;
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** A flag's or variable's text as the value a file would hold. What makes no sense stays text and fails parseValue. */
export function fromText(setting: Setting, text: string): unknown {
  const trimmed = text.trim();
  switch (setting.kind) {
    case 'boolean':
      return BOOLEAN_WORDS.get(trimmed.toLowerCase()) ?? text;
    case 'integer':
      return /^-?[0-9]{1,15}$/.test(trimmed) ? Number(trimmed) : text;
    case 'choice':
      return trimmed;
    case 'list':
    case 'path':
    case 'string':
      return text;
  }
}

export function parseValue(setting: Setting, raw: unknown, rules: ValueRules): ParsedValue {
  const wrong: ParsedValue = { kind: 'problem', expected: describeExpected(setting), found: raw };
  switch (setting.kind) {
    case 'boolean':
      return typeof raw === 'boolean' ? { kind: 'value', value: raw } : wrong;
    case 'integer': {
      const fits =
        typeof raw === 'number' && Number.isInteger(raw) && raw >= setting.min && raw <= setting.max;
      return fits ? { kind: 'value', value: raw } : wrong;
    }
    case 'choice':
      return typeof raw === 'string' && setting.values.includes(raw) ? { kind: 'value', value: raw } : wrong;
    case 'string':
      return parseText('string', raw, rules);
    case 'path':
      return parseText('path', raw, rules);
    case 'list': {
      if (!Array.isArray(raw) || raw.length > MAX_ITEMS) return wrong;
      const items: string[] = [];
      for (const [item, part] of raw.entries()) {
        const parsed = parseText(setting.of, part, rules);
        if (parsed.kind === 'problem') return { ...parsed, item };
        items.push(String(parsed.value));
      }
      return { kind: 'value', value: items };
    }
  }
}

function parseText(kind: 'string' | 'glob' | 'path', raw: unknown, rules: ValueRules): ParsedValue {
  const expected = { string: 'text', glob: 'a glob', path: 'a path' }[kind];
  if (typeof raw !== 'string') return { kind: 'problem', expected, found: raw };
  const why =
    kind === 'string' ? whyNotText(raw) : (whyNotText(raw) ?? (rules.confined ? whyOutside(raw) : undefined));
  if (why !== undefined) return { kind: 'problem', expected, found: raw, why };
  return { kind: 'value', value: kind === 'path' ? rules.resolvePath(raw) : raw };
}

function whyNotText(text: string): string | undefined {
  if (text.trim() === '') return 'an empty string';
  if (text.length > MAX_TEXT) return `more than ${MAX_TEXT} characters`;
  return /\p{Cc}/u.test(text) ? 'a control character in it' : undefined;
}

/** Both path dialects, whatever the machine: the same repository is opened on all of them. */
function whyOutside(text: string): string | undefined {
  const bare = text.replace(/^!/, '');
  if (posix.isAbsolute(bare) || win32.isAbsolute(bare) || /^[A-Za-z]:/.test(bare)) return 'an absolute path';
  if (bare.startsWith('~')) return 'a path in the home directory';
  // Braces and brackets too: a glob makes `..` out of `{..,src}`. Trimmed, because Windows drops trailing spaces.
  return bare.split(/[/\\{},()|]/).some((part) => part.trim() === '..')
    ? 'a path that leaves the project'
    : undefined;
}

/** The one phrase for what a setting takes; errors, help and the reference page share it. */
export function describeExpected(setting: Setting): string {
  switch (setting.kind) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer from ${setting.min} to ${setting.max}`;
    case 'choice':
      return `one of ${setting.values.join(', ')}`;
    case 'string':
      return 'text';
    case 'path':
      return 'a path';
    case 'list':
      return `a list of ${{ string: 'texts', glob: 'globs', path: 'paths' }[setting.of]}`;
  }
}
