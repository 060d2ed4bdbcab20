/** The precious rows of a memory as values, with the check sums that tell a sound row from a damaged one. Pure. */
import { createHash } from 'node:crypto';
import {
  CHANGE_ACTIONS,
  ENTRY_KINDS,
  ORIGINS,
  type Change,
  type FileMark,
  type MemoryEntry,
  type Provenance,
  type SharedIdentity,
} from '../memory-store.ts';
import {
  changeProblem,
  entryProblem,
  identityProblem,
  isFields,
  parseFields,
  type Fields,
} from './check-rows.ts';

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
    return [{ path: item['path'], ...optionalTexts(item, ['hash', 'dirty']) }];
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
