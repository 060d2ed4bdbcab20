/** What every format of configuration file can do, and the work on text that they share. Text in, text out. */
import { AppError } from '../../core/index.ts';

export type EntryValue = string | number | boolean | readonly EntryValue[] | Entry;
export interface Entry {
  readonly [key: string]: EntryValue;
}

/** One entry of a file: `['mcpServers', 'waymark']`. */
export type EntryPath = readonly [string, ...string[]];

export interface EntryPlace {
  readonly path: EntryPath;
  /** The file's name in errors. */
  readonly file: string;
}

/** Texts come without a byte order mark and are never blank. What cannot be parsed is a `bad_config` with line and column. */
export interface DocumentFormat {
  parse(text: string, file: string): unknown;
  /** The text with the entry in it, new or in place of the one that was there; nothing else changes. */
  put(text: string, place: EntryPlace, entry: Entry): string;
  /** The text without the entry. */
  drop(text: string, place: EntryPlace): string;
  /** A whole file with nothing but the entry in it. */
  fresh(path: EntryPath, entry: Entry): string;
}

/** The entry below these keys: `['a', 'b']` gives `{ a: { b: entry } }`. */
export function nest(path: readonly string[], entry: Entry): Entry {
  return path.reduceRight((inner: Entry, key) => ({ [key]: inner }), entry);
}

/** The value at this offset is not what the entry needs around it. */
export function wrongKind(
  text: string,
  at: number,
  wanted: { readonly file: string; readonly kind: string },
): AppError {
  const before = text.slice(0, at);
  const place = `${before.split('\n').length}:${at - before.lastIndexOf('\n')}`;
  return new AppError('bad_config', `${wanted.file}:${place}: expected ${wanted.kind} here`, {
    hint: `Make it ${wanted.kind} and run the same command again.`,
  });
}

export function endOfLineOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** The white space at the start of the line that holds this offset. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line's own characters end: before its line break, or at the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  if (found === -1) return text.length;
  return found > at && text[found - 1] === '\r' ? found - 1 : found;
}

/** Behind the line break, or at the end of the text. */
export function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

/** One level of indentation: that of the first indented line. */
export function indentUnit(text: string): string {
  const found = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return found.startsWith('\t') ? '\t' : found;
}

/** Replaces [from, to) by the new text. */
export function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

/** Lines one under the other, all but the first indented. */
export function indentLines(text: string, indent: string, endOfLine: string): string {
  return text.split('\n').join(endOfLine + indent);
}
