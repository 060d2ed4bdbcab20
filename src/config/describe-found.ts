/** What stood where something else was expected, in a form that is safe to print: short, and without control characters. */
import { escapeControl } from '../text/index.ts';

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
