/** Edits of a whole file's text, checked: the result parses, holds what it should, and nothing else has changed. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../core/index.ts';
import type { DocumentFormat, Entry, EntryPath, EntryPlace } from './document-format.ts';
import { blockFormat, scriptBlockFormat } from './block-edit.ts';
import { jsonFormat } from './json-edit.ts';
import { jsonHooks1Format, jsonHooksFormat } from './json-hooks-edit.ts';
import { tomlFormat } from './toml-edit.ts';
import { yamlFormat } from './yaml-edit.ts';
import { yamlListFormat } from './yaml-list-edit.ts';

const FORMATS = {
  json: jsonFormat,
  'json-hooks': jsonHooksFormat,
  'json-hooks-1': jsonHooks1Format,
  toml: tomlFormat,
  yaml: yamlFormat,
  'yaml-list': yamlListFormat,
  block: blockFormat,
  'script-block': scriptBlockFormat,
} as const satisfies Record<string, DocumentFormat>;
export type FormatName = keyof typeof FORMATS;

/** Claude Code keeps its whole history in the file of its servers; nothing else that is edited here grows. */
const MOST_CHARS: Readonly<Record<FormatName, number>> = {
  json: 8_000_000,
  'json-hooks': 8_000_000,
  'json-hooks-1': 8_000_000,
  toml: 1_000_000,
  yaml: 64_000,
  'yaml-list': 64_000,
  block: 1_000_000,
  'script-block': 1_000_000,
};

const BYTE_ORDER_MARK = '\uFEFF';

export interface DocumentPlace extends EntryPlace {
  readonly format: FormatName;
}

interface PutResult {
  readonly text: string;
  /** The entry that was there before. */
  readonly before: unknown;
  /** How many of the path's last keys, the entry's own among them, were not there before. */
  readonly added: number;
}

/** The text with the entry in it. A text that already holds exactly this entry comes back as it is. */
export function putEntry(text: string, place: DocumentPlace, entry: Entry): PutResult {
  return attempt(text, place, () => put(text, place, entry));
}

function put(text: string, place: DocumentPlace, entry: Entry): PutResult {
  const format = FORMATS[place.format];
  const { mark, body } = splitMark(text);
  if (body.trim() === '') {
    return { text: mark + format.fresh(place.path, entry), before: undefined, added: place.path.length };
  }
  const old = format.parse(body, place.file);
  const before = valueAt(old, place.path);
  const added = place.path.filter(
    (_key, index) => valueAt(old, place.path.slice(0, index + 1)) === undefined,
  ).length;
  if (isDeepStrictEqual(plain(before), entry)) return { text, before, added };
  const edited = format.put(body, place, entry);
  check(place, { before: old, after: parseAgain(place, edited), wanted: entry });
  return { text: mark + edited, before, added };
}

/** The text without the entry, and without the `added` - 1 parents above it where nothing else is left in them. */
export function dropEntry(text: string, place: DocumentPlace, added = 1): string {
  return attempt(text, place, () => drop(text, place, added));
}

function drop(text: string, place: DocumentPlace, added: number): string {
  const format = FORMATS[place.format];
  const { mark, body } = splitMark(text);
  if (body.trim() === '') return text;
  const old = format.parse(body, place.file);
  if (valueAt(old, place.path) === undefined) return text;
  let depth = place.path.length;
  while (
    depth > 1 &&
    place.path.length - depth + 1 < added &&
    isOnly(valueAt(old, place.path.slice(0, depth - 1)))
  ) {
    depth--;
  }
  const path = toPath(place.path.slice(0, depth));
  const edited = format.drop(body, { ...place, path });
  const left = edited.trim() === '' ? {} : parseAgain(place, edited);
  check(place, { before: old, after: left, wanted: undefined });
  return mark + edited;
}

/** What is at the path of a file's text, as a plain value. */
export function readEntry(text: string, place: DocumentPlace): unknown {
  return valueAt(readDocument(text, place), place.path);
}

/** The whole file as a plain value; undefined if it is blank. */
export function readDocument(text: string, place: DocumentPlace): unknown {
  const { body } = splitMark(text);
  if (body.trim() === '') return undefined;
  return attempt(body, place, () => FORMATS[place.format].parse(body, place.file));
}

/** What a parser did not foresee (nesting beyond its stack, an alias of nothing) is a layout that is not edited. */
function attempt<Result>(text: string, place: DocumentPlace, work: () => Result): Result {
  if (text.length > MOST_CHARS[place.format])
    throw new AppError('bad_config', `${place.file} is too large to be edited.`, { hint: BY_HAND });
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.code !== 'internal' ? thrown : cannotEdit(place, thrown);
  }
}

function splitMark(text: string): { mark: string; body: string } {
  const marked = text.startsWith(BYTE_ORDER_MARK);
  return { mark: marked ? BYTE_ORDER_MARK : '', body: marked ? text.slice(1) : text };
}

function parseAgain(place: DocumentPlace, text: string): unknown {
  try {
    return FORMATS[place.format].parse(text, place.file);
  } catch (cause) {
    throw cannotEdit(place, cause);
  }
}

interface Change {
  readonly before: unknown;
  readonly after: unknown;
  readonly wanted: Entry | undefined;
}

function check(place: DocumentPlace, { before, after, wanted }: Change): void {
  const right = isDeepStrictEqual(plain(valueAt(after, place.path)), wanted);
  if (right && isDeepStrictEqual(without(before, place.path), without(after, place.path))) return;
  throw cannotEdit(place);
}

const BY_HAND = 'Put the entry in by hand; `waymark setup --print` shows it.';

/** Nothing was written: a layout that cannot be edited safely is left to the user. */
function cannotEdit(place: DocumentPlace, cause?: unknown): AppError {
  return new AppError('bad_config', `${place.file} is laid out in a way Waymark does not edit.`, {
    hint: BY_HAND,
    cause,
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (inner: unknown, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** The value without the entry and without parents that become empty: `{}`, null and absent count as equal. */
function without(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (!isObject(value)) return undefined;
  const { [key]: inner, ...others } = value;
  const left = without(inner, rest);
  const kept = left === undefined ? others : { ...others, [key]: left };
  return Object.keys(kept).length === 0 ? undefined : plain(kept);
}

/** Parsers differ in the prototypes of what they make; only the content counts. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function isOnly(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 1;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toPath(keys: readonly string[]): EntryPath {
  const [first, ...rest] = keys;
  if (first === undefined) throw new AppError('internal', 'An entry without a path was asked for.');
  return [first, ...rest];
}
