/** From an exported file to an entry. Whatever is not as an export writes it is refused, by name; nothing is guessed. Pure. */
import { AppError } from '../../core/index.ts';
import {
  ENTRY_KINDS,
  isEntryDate,
  type EntryKind,
  type FileMark,
  type MemoryEntry,
} from '../../storage/index.ts';
import {
  checkCount,
  checkLimit,
  checkPresent,
  LIMITS,
  MOST_FILES,
  MOST_TAGS,
  type LimitedText,
} from '../entry-text.ts';
import { parseFrontMatter } from './front-matter.ts';

/** What an export's file said; provenance is kept as it was claimed. */
export type ReadEntry = Omit<MemoryEntry, 'provenance' | 'flags' | 'tokens'> & {
  readonly claims: Readonly<Record<string, unknown>>;
};

const ID = /^[a-z]+-[0-9a-f]{12}$/;
const EXPORT_PATH =
  /^(?:(?:checkpoint|remediation|skill|fact|guide|collection)s\/(?:[a-z0-9-]+-)?[a-z]+-[0-9a-f]{12}|history\/[a-z]+-[0-9a-f]{12}\/\d+)\.md$/;
const SLACK = 2;
const MOST_FIELDS = 32;
const MOST_DEPTH = 20;

/** Whether an export names its files like this. */
export function isExportPath(path: string): boolean {
  return EXPORT_PATH.test(path);
}

/** Undefined if the file is not meant to be an exported entry; throws what is wrong with one that is. */
export function parseEntryFile(text: string): ReadEntry | undefined {
  const parsed = parseFrontMatter(text);
  if (parsed === undefined && /^---\r?\nwaymark:/.test(text))
    throw noEntry('breaks off before its text begins');
  if (parsed?.fields.get('waymark') === undefined) return undefined;
  const value = (name: string): unknown => toJson(name, parsed.fields.get(name));
  if (value('waymark') !== 1) throw noEntry('was written by a newer Waymark');
  const kind = ENTRY_KINDS.find((known): known is EntryKind => known === value('kind'));
  if (kind === undefined) throw wrong('kind');
  const id = value('id');
  if (typeof id !== 'string' || !ID.test(id)) throw wrong('id');
  const spelled = value('content');
  const content = spelled === undefined ? parsed.body : toText('content', spelled);
  checkPresent('content', content);
  checkRoughly('content', content);
  const confidence = value('confidence') ?? 0.5;
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) throw wrong('confidence');
  const version = value('version') ?? 1;
  if (!Number.isInteger(version) || Number(version) < 1 || Number(version) > 1_000_000)
    throw wrong('version');
  return {
    id,
    kind,
    name: limited('name', value('name') ?? ''),
    summary: limited('summary', value('summary') ?? ''),
    content,
    tags: toTags(value('tags') ?? []),
    fields: toTextFields(value('fields') ?? {}),
    metadata: toObject('metadata', value('metadata') ?? {}),
    files: toFiles(value('files') ?? []),
    confidence,
    claims: toObject('provenance', value('provenance') ?? {}),
    createdAt: toDate('created_at', value('created_at')),
    updatedAt: toDate('updated_at', value('updated_at')),
    version: Number(version),
  };
}

export function noEntry(why: string): AppError {
  return new AppError('bad_argument', `This file ${why}.`);
}

function wrong(field: string): AppError {
  return new AppError('bad_argument', `\`${field}\` is not what an export writes there.`);
}

function toJson(name: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(name);
  }
}

function toDate(name: string, value: unknown): number {
  if (value === undefined) return 0;
  if (!isEntryDate(value)) throw new AppError('bad_argument', `\`${name}\` is not a valid date.`);
  return value;
}

function toText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw wrong(name);
  return value;
}

function limited(name: 'name' | 'summary', value: unknown): string {
  const text = toText(name, value);
  checkRoughly(name, text);
  return text;
}

/** A secret that was taken out may have lengthened what was saved within its limit. */
function checkRoughly(what: LimitedText, text: string): void {
  if (text.length > SLACK * LIMITS[what]) checkLimit(what, text);
}

function toTags(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw wrong('tags');
  if (value.length > MOST_TAGS) checkCount('tags', value.length);
  return value.map((tag: unknown) => {
    const text = toText('tags', tag);
    checkRoughly('tag', text);
    return text;
  });
}

function toTextFields(value: unknown): Readonly<Record<string, string>> {
  const all = Object.entries(toObject('fields', value));
  if (all.length > MOST_FIELDS) throw wrong('fields');
  return Object.fromEntries(
    all.map(([name, text]) => {
      checkRoughly('content', toText('fields', text));
      return [name, toText('fields', text)];
    }),
  );
}

function toObject(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name);
  if (isDeeper(value, MOST_DEPTH)) throw new AppError('bad_argument', `\`${name}\` is nested too deep.`);
  if (name !== 'fields') checkRoughly('metadata', JSON.stringify(value));
  return Object.fromEntries(Object.entries(value));
}

/** Written out again by a function that calls itself for each level. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1));
}

function toFiles(value: unknown): readonly FileMark[] {
  if (!Array.isArray(value)) throw wrong('files');
  if (value.length > 2 * MOST_FILES) checkCount('files', value.length);
  return value.map((item: unknown) => {
    const { path, hash, dirty, names } = toObject('files', item);
    return {
      path: toText('files', path),
      ...(hash === undefined ? {} : { hash: toText('files', hash) }),
      ...(dirty === undefined ? {} : { dirty: toText('files', dirty) }),
      ...(names === undefined ? {} : { names: toText('files', names) }),
    };
  });
}
