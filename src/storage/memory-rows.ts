/** The rows of a memory: how entries are written and read back, and what a row must be like to be one. */
import { createHash } from 'node:crypto';
import {
  type Change,
  CHANGE_ACTIONS,
  ENTRY_KINDS,
  type FileMark,
  type MemoryEntry,
  ORIGINS,
  type Provenance,
  type SharedIdentity,
} from './memory-store.ts';

export interface EntryRow {
  readonly entry: MemoryEntry;
  /** Its place among the others, as a time that never goes back: the column `created_at`. */
  readonly order: number;
  readonly deletedAt: number | undefined;
  readonly saveKey: string | undefined;
}

export interface MemoryRows {
  readonly entries: readonly EntryRow[];
  readonly versions: readonly MemoryEntry[];
  readonly changes: readonly Change[];
  readonly identities: readonly SharedIdentity[];
}

const TABLE_MARKS = { entry: 'e', version: 'v', change: 'c', identity: 'i' } as const;
export type PreciousTable = keyof typeof TABLE_MARKS;

const SUM_DIGITS = 24;
const SUM = new RegExp(`^([evci]):[0-9a-f]{${SUM_DIGITS}}$`);

/** The last column of a row: which table it is of, and a digest of what it says. */
export function sumOf(table: PreciousTable, parts: readonly (string | number | undefined)[]): string {
  const text = JSON.stringify(parts.map((part) => part ?? null));
  const digest = createHash('sha256').update(table).update(text).digest('hex');
  return `${TABLE_MARKS[table]}:${digest.slice(0, SUM_DIGITS)}`;
}

export function entrySum(
  { entry, deletedAt, saveKey }: Pick<EntryRow, 'entry' | 'deletedAt' | 'saveKey'>,
  doc: string,
): string {
  return sumOf('entry', [entry.id, doc, deletedAt, saveKey]);
}

export function tableOfSum(sum: unknown): PreciousTable | undefined {
  const mark = typeof sum === 'string' ? SUM.exec(sum)?.[1] : undefined;
  return mark === undefined ? undefined : TABLES.find((table) => TABLE_MARKS[table] === mark);
}

const TABLES: readonly PreciousTable[] = ['entry', 'version', 'change', 'identity'];

/** The entry in this text; undefined if it holds none that we could have written. */
export function parseEntry(doc: string): MemoryEntry | undefined {
  const value = parseFields(doc);
  return value === undefined || entryProblem(value) !== undefined ? undefined : readEntry(value);
}

/** What can be read of an entry, whatever is wrong with the rest; undefined if it cannot even be told what it is. */
export function readEntry(value: Fields): MemoryEntry | undefined {
  const provenance = toProvenance(value['provenance']);
  if (provenance === undefined) return undefined;
  const kind = ENTRY_KINDS.find((known) => known === value['kind']);
  const id = value['id'];
  if (kind === undefined || typeof id !== 'string') return undefined;
  return {
    id,
    kind,
    name: toText(value['name']),
    summary: toText(value['summary']),
    content: toText(value['content']),
    tags: toTexts(value['tags']),
    fields: toTextFields(value['fields']),
    metadata: isFields(value['metadata']) ? value['metadata'] : {},
    files: toFiles(value['files']),
    flags: toTexts(value['flags']),
    confidence: toNumber(value['confidence']),
    tokens: toNumber(value['tokens']),
    provenance,
    createdAt: toNumber(value['createdAt']),
    updatedAt: toNumber(value['updatedAt']),
    version: toNumber(value['version']),
  };
}

export function parseChange(doc: string): Change | undefined {
  const value = parseFields(doc);
  const action = CHANGE_ACTIONS.find((known) => known === value?.['action']);
  if (value === undefined || action === undefined || changeProblem(value) !== undefined) return undefined;
  return {
    at: toNumber(value['at']),
    action,
    entryId: toText(value['entryId']),
    kind: toText(value['kind']),
    name: toText(value['name']),
    by: toText(value['by']),
  };
}

export function parseIdentity(doc: string): SharedIdentity | undefined {
  const value = parseFields(doc);
  if (value === undefined || identityProblem(value) !== undefined) return undefined;
  return {
    identity: toText(value['identity']),
    name: toText(value['name']),
    since: toNumber(value['since']),
  };
}

function toProvenance(given: unknown): Provenance | undefined {
  if (!isFields(given)) return undefined;
  const value = given;
  const origin = ORIGINS.find((known) => known === value['origin']);
  if (origin === undefined) return undefined;
  return {
    origin,
    client: toText(value['client']),
    tool: toText(value['tool']),
    user: toText(value['user']),
    project: toText(value['project']),
    ...optionalTexts(value, ['source', 'claims', 'worktree', 'branch', 'commit']),
  };
}

function optionalTexts<Name extends string>(
  value: Fields,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string') found[name] = text;
  }
  return found;
}

function toFiles(given: unknown): readonly FileMark[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((item: unknown) => {
    if (!isFields(item) || typeof item['path'] !== 'string') return [];
    return [{ path: item['path'], ...optionalTexts(item, ['hash', 'dirty', 'names']) }];
  });
}

function toTextFields(given: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isFields(given) ? given : {}).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );
}

function toTexts(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((item): item is string => typeof item === 'string') : [];
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The last moment of the year 9999: later dates cannot be written as people and other programs read them. */
export const LAST_DATE_MS = 253_402_300_799_999;

/**
 * In characters. Wider than what may be saved (`LIMITS` in memory/make-entry.ts): taking out a secret can lengthen a text, and
 * what an earlier release took must still be restored.
 */
const LONGEST = { name: 4_096, summary: 32_768, content: 1_048_576, tag: 1_024, short: 8_192 } as const;
const MOST = { tags: 256, files: 2_000, fields: 64, flags: 64 } as const;
const METADATA_CHARS = 131_072;
export const MOST_DEPTH = 32;
export const MOST_DOC_CHARS = 16 * 1_048_576;
const ID = /^[a-z][a-z0-9-]{0,63}$/;

/** Undefined if the value can be an entry as it stands. */
export function entryProblem(value: Fields): string | undefined {
  const { id, kind, fields, metadata, files, provenance } = value;
  if (typeof id !== 'string' || !ID.test(id)) return 'its id is none of ours';
  if (!ENTRY_KINDS.some((known) => known === kind)) return 'its kind is unknown';
  return (
    textProblem('name', value['name'], LONGEST.name) ??
    textProblem('summary', value['summary'], LONGEST.summary) ??
    textProblem('content', value['content'], LONGEST.content) ??
    textsProblem('tags', value['tags'], MOST.tags) ??
    textsProblem('flags', value['flags'], MOST.flags) ??
    (isFields(fields) ? textFieldsProblem(fields) : 'fields is no object') ??
    (isFields(metadata) ? metadataProblem(metadata) : 'metadata is no object') ??
    filesProblem(files) ??
    numberProblem(value) ??
    dateProblem('createdAt', value['createdAt']) ??
    dateProblem('updatedAt', value['updatedAt']) ??
    (isFields(provenance) ? provenanceProblem(provenance) : 'provenance is no object')
  );
}

export function changeProblem(value: Fields): string | undefined {
  if (!CHANGE_ACTIONS.some((known) => known === value['action'])) return 'its action is unknown';
  return (
    dateProblem('at', value['at']) ??
    textProblem('entryId', value['entryId'], LONGEST.short) ??
    textProblem('kind', value['kind'], LONGEST.short) ??
    textProblem('name', value['name'], LONGEST.name) ??
    textProblem('by', value['by'], LONGEST.short)
  );
}

export function identityProblem(value: Fields): string | undefined {
  if (value['identity'] === '') return 'identity is empty';
  return (
    textProblem('identity', value['identity'], LONGEST.short) ??
    textProblem('name', value['name'], LONGEST.name) ??
    dateProblem('since', value['since'])
  );
}

export function isDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_DATE_MS;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper values end in a stack overflow where they are written out. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

/** However deep so few characters are nested, they are parsed at once. */
const FEW_CHARS = 64 * 1024;

/** Nested deeper than anything of ours: the parser would take a second for what is refused anyway. */
function isNested(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  // By hand: an expression would have to remember every character of a long text.
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > 2 * MOST_DEPTH) return true;
  }
  return false;
}

/** The object that a text spells out as JSON; undefined if it is none, or one that nothing of ours would write. */
export function parseFields(text: string): Fields | undefined {
  if (text.length > MOST_DOC_CHARS || (text.length > FEW_CHARS && isNested(text))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textProblem(name: string, value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return `${name} is no text`;
  return value.length > longest ? `${name} is longer than ${longest} characters` : undefined;
}

function textsProblem(name: 'tags' | 'flags', value: unknown, most: number): string | undefined {
  if (!Array.isArray(value)) return `${name} is no list`;
  if (value.length > most) return `there are more than ${most} ${name}`;
  return value
    .map((item: unknown) => textProblem(name, item, LONGEST.tag))
    .find((found) => found !== undefined);
}

function textFieldsProblem(fields: Fields): string | undefined {
  const all = Object.entries(fields);
  if (all.length > MOST.fields) return `there are more than ${MOST.fields} fields`;
  return all
    .map(
      ([name, text]) =>
        textProblem('the name of a field', name, LONGEST.tag) ??
        textProblem('a field', text, LONGEST.content),
    )
    .find((found) => found !== undefined);
}

function metadataProblem(metadata: Fields): string | undefined {
  if (isDeeperThan(metadata, MOST_DEPTH)) return `metadata is nested more than ${MOST_DEPTH} deep`;
  return JSON.stringify(metadata).length > METADATA_CHARS
    ? `metadata is longer than ${METADATA_CHARS} characters`
    : undefined;
}

function filesProblem(files: unknown): string | undefined {
  if (!Array.isArray(files)) return 'files is no list';
  if (files.length > MOST.files) return `there are more than ${MOST.files} files`;
  return files
    .map((file: unknown) => {
      if (!isFields(file)) return 'a file is no object';
      return (
        textProblem('the path of a file', file['path'], LONGEST.short) ??
        optionalProblem(file, ['hash', 'dirty', 'names'])
      );
    })
    .find((found) => found !== undefined);
}

function numberProblem({ confidence, tokens, version }: Fields): string | undefined {
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    return 'confidence is not between 0 and 1';
  if (!isCount(tokens, 0)) return 'tokens is no count';
  return isCount(version, 1) ? undefined : 'version is no count';
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 2 ** 31;
}

function dateProblem(name: string, value: unknown): string | undefined {
  return isDate(value) ? undefined : `${name} is not a valid date`;
}

function provenanceProblem(provenance: Fields): string | undefined {
  if (!ORIGINS.some((known) => known === provenance['origin'])) return 'its origin is unknown';
  const texts = ['client', 'tool', 'user', 'project'] as const;
  return (
    texts
      .map((name) => textProblem(name, provenance[name], LONGEST.short))
      .find((found) => found !== undefined) ??
    optionalProblem(provenance, ['source', 'worktree', 'branch', 'commit']) ??
    claimsProblem(provenance['claims'])
  );
}

/** Spelled out again at the next export. */
function claimsProblem(claims: unknown): string | undefined {
  if (claims === undefined) return undefined;
  if (typeof claims !== 'string' || claims.length > METADATA_CHARS)
    return 'claims is no text of a sensible length';
  const value = parseFields(claims);
  return value === undefined || isDeeperThan(value, MOST_DEPTH) ? 'claims is no JSON object' : undefined;
}

function optionalProblem(value: Fields, names: readonly string[]): string | undefined {
  return names
    .filter((name) => value[name] !== undefined)
    .map((name) => textProblem(name, value[name], LONGEST.short))
    .find((found) => found !== undefined);
}
