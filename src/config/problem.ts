/** How mistakes are told: each safe to print, all of them in one error. */
import { AppError } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import type { ParsedValue } from './parse-value.ts';
import type { Setting } from './setting.ts';

const MAX_SHOWN = 40;

/** One line of foreign text: control, format and private characters become visible escapes, the rest is cut off. */
export function showText(text: string, maxLength: number = MAX_SHOWN): string {
  const points = [...text];
  const kept = points.length > maxLength ? `${points.slice(0, maxLength).join('')}…` : text;
  return escapeControl(kept);
}

/** A key, if it looks like one. Longer or stranger text could be written to be read by a model. */
export function describeKey(key: string): string {
  return /^[\w$.-]{1,40}$/.test(key) ? key : 'a key that is no name';
}

/** A wrong value as the user wrote it, or only its type. */
export function describeFound(value: unknown): string {
  if (typeof value === 'string') return `"${showText(value)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return describeType(value);
}

/** Only the type: for secrets, and for files of a repository, whose text must not reach a model through an error. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

const MAX_REPORTED = 20;

/** `place: what is wrong`; the place is a flag, a variable, or `file:line:column: key`. */
export interface Mismatch {
  readonly place: string;
  readonly setting: Setting;
  readonly parsed: Extract<ParsedValue, { kind: 'problem' }>;
  /** `type`: the text comes from a repository and must not be repeated. */
  readonly show: 'value' | 'type';
}

export function renderMismatch({ place, setting, parsed, show }: Mismatch): string {
  const part = parsed.item === undefined ? '' : `[${parsed.item}]`;
  const hidden = show === 'type' || setting.secret === true;
  const found = parsed.why ?? (hidden ? describeType(parsed.found) : describeFound(parsed.found));
  return `${place}${part}: expected ${parsed.expected}, found ${found}`;
}

export function throwIfAny(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_REPORTED);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  const message =
    shown.length === 1 ? shown.join('') : `${problems.length} problems:\n  ${shown.join('\n  ')}`;
  throw new AppError('bad_config', message, {
    hint: 'Correct what is named and run the same command again.',
  });
}
