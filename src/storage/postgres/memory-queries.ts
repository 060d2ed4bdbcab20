/** What a memory is asked: entries by id, place, kind, fingerprint and words. */
import { AppError } from '../../core/index.ts';
import {
  ENTRY_KINDS,
  type BranchSize,
  type Change,
  type FindFilter,
  type ListFilter,
  type MemoryEntry,
  type MemorySize,
  type PurgeChoice,
  type SharedIdentity,
  type StoredEntry,
  type VectorRow,
} from '../memory-store.ts';
import {
  type EntryRow,
  entrySum,
  isDate,
  type MemoryRows,
  parseChange,
  parseEntry,
  parseIdentity,
  sumOf,
} from '../memory-rows.ts';
import type { BinRow } from '../plan-bin.ts';
import type { Queries } from './database.ts';
import { bytesColumn, numberColumn, optionalNumber, optionalText, type Row, textColumn } from './driver.ts';
import { digestOfName, type Space } from './memory-keys.ts';

export type Reader = Pick<Queries, 'all'>;

const COLUMNS = 'seq, id, kind, created_at, deleted_at, save_key, words, doc, sum';
const FROM_ENTRY = `SELECT ${COLUMNS} FROM entry WHERE tenant_id = $1 AND space_id = $2`;

export interface FoundRow extends EntryRow {
  readonly seq: number;
  /** How many it is found by. */
  readonly words: number;
}

export async function findRow(
  reader: Reader,
  { tenant, space }: Space,
  id: string,
): Promise<FoundRow | undefined> {
  const [row] = await reader.all(`${FROM_ENTRY} AND id = $3`, tenant, space, id);
  return row && toRow(row);
}

export async function findByKey(
  reader: Reader,
  { tenant, space }: Space,
  saveKey: string | undefined,
): Promise<FoundRow | undefined> {
  if (saveKey === undefined) return undefined;
  const [row] = await reader.all(`${FROM_ENTRY} AND save_key = $3`, tenant, space, saveKey);
  return row && toRow(row);
}

type Matches = (old: MemoryEntry, entry: MemoryEntry) => boolean;

/** The newest entry of this kind that matches, or has its name. */
export async function findMatch(
  reader: Reader,
  { tenant, space }: Space,
  { entry, matches }: { readonly entry: MemoryEntry; readonly matches: Matches | undefined },
): Promise<FoundRow | undefined> {
  if (matches === undefined) return findNamesake(reader, { tenant, space }, entry);
  const rows = await reader.all(
    `${FROM_ENTRY} AND kind = $3 AND deleted_at IS NULL ORDER BY created_at DESC, seq DESC`,
    tenant,
    space,
    entry.kind,
  );
  return rows.map(toRow).find((row) => matches(row.entry, entry));
}

async function findNamesake(
  reader: Reader,
  { tenant, space }: Space,
  { kind, name }: MemoryEntry,
): Promise<FoundRow | undefined> {
  const [row] = await reader.all(
    `${FROM_ENTRY} AND kind = $3 AND name_digest = $4 AND deleted_at IS NULL ORDER BY created_at DESC, seq DESC LIMIT 1`,
    tenant,
    space,
    kind,
    digestOfName(name),
  );
  return row && toRow(row);
}

export async function binRows(
  reader: Reader,
  { tenant, space }: Space,
  which: PurgeChoice | { readonly seqs: readonly number[] },
): Promise<readonly FoundRow[]> {
  const inBin = `${FROM_ENTRY} AND deleted_at IS NOT NULL`;
  const rows =
    'seqs' in which
      ? await reader.all(`${inBin} AND seq = ANY ($3::bigint[]) ORDER BY seq`, tenant, space, which.seqs)
      : 'ids' in which
        ? await reader.all(`${inBin} AND id = ANY ($3::text[]) ORDER BY seq`, tenant, space, which.ids)
        : await reader.all(`${inBin} AND deleted_at < $3 ORDER BY seq`, tenant, space, which.before);
  return rows.map(toRow);
}

export async function readBin(reader: Reader, { tenant, space }: Space): Promise<readonly BinRow[]> {
  const rows = await reader.all(
    `SELECT e.seq, b.seen_at, b.age_ms FROM entry e
     LEFT JOIN bin b ON b.tenant_id = e.tenant_id AND b.space_id = e.space_id AND b.seq = e.seq
     WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.deleted_at IS NOT NULL`,
    tenant,
    space,
  );
  return rows.map((row) => ({
    seq: numberColumn(row, 'seq'),
    seenAt: optionalNumber(row, 'seen_at'),
    ageMs: optionalNumber(row, 'age_ms') ?? 0,
  }));
}

const BRANCH = "doc::json #>> '{provenance,branch}'";

export async function readBranches(reader: Reader, { tenant, space }: Space): Promise<readonly BranchSize[]> {
  const rows = await reader.all(
    `SELECT ${BRANCH} AS branch, count(*) AS count FROM entry
     WHERE tenant_id = $1 AND space_id = $2 AND deleted_at IS NULL AND ${BRANCH} IS NOT NULL
     GROUP BY 1 ORDER BY (${BRANCH}) COLLATE "C"`,
    tenant,
    space,
  );
  return rows.map((row) => ({ branch: textColumn(row, 'branch'), count: numberColumn(row, 'count') }));
}

export async function listRows(
  reader: Reader,
  { tenant, space }: Space,
  filter: ListFilter,
): Promise<readonly StoredEntry[]> {
  const { kinds, limit, offset = 0, inBin = false, branch } = filter;
  if (![limit, offset].every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new AppError('bad_argument', 'The limit is not a whole number.');
  const rows = await reader.all(
    `${FROM_ENTRY} AND deleted_at IS ${inBin ? 'NOT ' : ''}NULL AND ($3::text[] IS NULL OR kind = ANY ($3))
       AND ($6::text IS NULL OR ${BRANCH} = $6)
     ORDER BY ${inBin ? 'deleted_at' : 'created_at'} DESC, seq DESC LIMIT $4 OFFSET $5`,
    tenant,
    space,
    kinds ?? null,
    limit,
    offset,
    branch ?? null,
  );
  return rows.map(toStored);
}

export async function readSizes(reader: Reader, { tenant, space }: Space): Promise<readonly MemorySize[]> {
  const rows = await reader.all(
    `SELECT kind, count(*) AS count FROM entry
     WHERE tenant_id = $1 AND space_id = $2 AND deleted_at IS NULL GROUP BY kind`,
    tenant,
    space,
  );
  const counts = new Map(rows.map((row) => [textColumn(row, 'kind'), numberColumn(row, 'count')]));
  return ENTRY_KINDS.map((kind) => ({ kind, count: counts.get(kind) ?? 0 }));
}

export async function fingerprintSeqs(
  reader: Reader,
  { tenant, space }: Space,
  { fingerprint, limit }: { readonly fingerprint: string; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await reader.all(
    `SELECT seq FROM entry WHERE tenant_id = $1 AND space_id = $2 AND fingerprint = $3 AND deleted_at IS NULL
     ORDER BY seq DESC LIMIT $4`,
    tenant,
    space,
    fingerprint,
    limit,
  );
  return rows.map((row) => numberColumn(row, 'seq'));
}

/** Near enough to weigh words by, and there at once. */
export async function countEntries(reader: Reader, { tenant, space }: Space): Promise<number> {
  const [row] = await reader.all('SELECT seq FROM space WHERE tenant_id = $1 AND id = $2', tenant, space);
  return row === undefined ? 0 : numberColumn(row, 'seq');
}

export async function countWords(
  reader: Reader,
  { tenant, space }: Space,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (words.length === 0) return new Map();
  const rows = await reader.all(
    `SELECT word, count(*) AS n FROM entry_word
     WHERE tenant_id = $1 AND space_id = $2 AND word = ANY ($3::text[]) GROUP BY word`,
    tenant,
    space,
    [...new Set(words)],
  );
  return new Map(rows.map((row) => [textColumn(row, 'word'), numberColumn(row, 'n')]));
}

/** Looks each row up by its key. A memory that has just grown has no statistics, and all of it would be read instead. */
const BY_KEY = 'OFFSET 0';

/** BM25 as SQLite's full-text index has it, so that both engines find the same. Places only: most of what is found is never read. */
const BY_WORDS = `
  WITH hit AS (
    SELECT seq, weight, words, count(*) OVER (PARTITION BY word) AS n FROM entry_word
    WHERE tenant_id = $1 AND space_id = $2 AND word = ANY ($3::text[])
  ), scored AS (
    SELECT h.seq, sum(greatest(ln((s.worded - h.n + 0.5::float8) / (h.n + 0.5)), 1e-6) * h.weight * 2.2 /
      (h.weight + 1.2 * (0.25 + 0.75 * h.words * s.worded / greatest(s.words, 1)))) AS score
    FROM hit h, space s WHERE s.tenant_id = $1 AND s.id = $2
    GROUP BY h.seq ORDER BY score DESC, h.seq LIMIT $5
  )
  SELECT scored.seq FROM scored, LATERAL (
    SELECT kind, deleted_at FROM entry WHERE tenant_id = $1 AND space_id = $2 AND seq = scored.seq ${BY_KEY}) e
  WHERE e.deleted_at IS NULL AND ($4::text[] IS NULL OR e.kind = ANY ($4)) ORDER BY scored.score DESC, scored.seq LIMIT $6`;

export async function wordSeqs(
  reader: Reader,
  { tenant, space }: Space,
  { words, kinds, limit }: FindFilter & { readonly words: readonly string[] },
): Promise<readonly number[]> {
  if (words.length === 0) return [];
  const most = kinds === undefined ? limit : limit * 4;
  const rows = await reader.all(BY_WORDS, tenant, space, [...new Set(words)], kinds ?? null, most, limit);
  return rows.map((row) => numberColumn(row, 'seq'));
}

export async function rowsAt(
  reader: Reader,
  { tenant, space }: Space,
  { seqs, kinds, limit }: FindFilter & { readonly seqs: readonly number[] },
): Promise<readonly StoredEntry[]> {
  if (seqs.length === 0) return [];
  const rows = await reader.all(
    `SELECT e.* FROM unnest($3::bigint[]) WITH ORDINALITY AS wanted (place, at), LATERAL (
       ${FROM_ENTRY} AND seq = wanted.place ${BY_KEY}) e
     WHERE e.deleted_at IS NULL AND ($4::text[] IS NULL OR e.kind = ANY ($4)) ORDER BY wanted.at LIMIT $5`,
    tenant,
    space,
    seqs,
    kinds ?? null,
    limit,
  );
  return rows.map(toStored);
}

/** In one statement: a mark read apart could be of a later moment than the rows. */
export async function vectorRows(
  reader: Reader,
  { tenant, space }: Space,
  mark: number,
): Promise<{ readonly mark: number; readonly rows: readonly VectorRow[] }> {
  const rows = await reader.all(
    `SELECT s.mark, v.seq, v.vector FROM space s
     LEFT JOIN entry_vector v ON v.tenant_id = s.tenant_id AND v.space_id = s.id AND v.mark > $3
     WHERE s.tenant_id = $1 AND s.id = $2 ORDER BY v.mark`,
    tenant,
    space,
    mark,
  );
  const [first] = rows;
  return {
    mark: first === undefined ? 0 : numberColumn(first, 'mark'),
    rows: rows.flatMap((row) => {
      if (row['seq'] === null) return [];
      const bytes = bytesColumn(row, 'vector');
      return [
        {
          seq: numberColumn(row, 'seq'),
          vector: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        },
      ];
    }),
  };
}

export async function readVersions(
  reader: Reader,
  { tenant, space }: Space,
  id: string,
): Promise<readonly { readonly id: number; readonly entry: MemoryEntry }[]> {
  const rows = await reader.all(
    `SELECT id, entry_id, doc, sum FROM entry_version
     WHERE tenant_id = $1 AND space_id = $2 AND entry_id = $3 ORDER BY id DESC`,
    tenant,
    space,
    id,
  );
  return rows.map((row) => ({ id: numberColumn(row, 'id'), entry: toVersion(row) }));
}

export async function readLog(
  reader: Reader,
  { tenant, space }: Space,
  limit: number,
): Promise<readonly Change[]> {
  const rows = await reader.all(
    'SELECT doc FROM change WHERE tenant_id = $1 AND space_id = $2 ORDER BY id DESC LIMIT $3',
    tenant,
    space,
    limit,
  );
  return rows.flatMap((row) => parseChange(textColumn(row, 'doc')) ?? []);
}

export async function readIdentities(
  reader: Reader,
  { tenant, space }: Space,
): Promise<readonly SharedIdentity[]> {
  const rows = await reader.all(
    'SELECT doc FROM identity WHERE tenant_id = $1 AND space_id = $2 ORDER BY id',
    tenant,
    space,
  );
  return rows.flatMap((row) => parseIdentity(textColumn(row, 'doc')) ?? []);
}

/** Every row there is; throws `storage_damaged` at the first that cannot be ours. */
export async function readEverything(reader: Reader, { tenant, space }: Space): Promise<MemoryRows> {
  const all = (sql: string): Promise<readonly Row[]> => reader.all(sql, tenant, space);
  const where = 'WHERE tenant_id = $1 AND space_id = $2 ORDER BY id';
  const entries = await all(`${FROM_ENTRY} ORDER BY seq`);
  const versions = await all(`SELECT entry_id, doc, sum FROM entry_version ${where}`);
  const changes = await all(`SELECT doc, sum FROM change ${where}`);
  const identities = await all(`SELECT identity, doc, sum FROM identity ${where}`);
  return {
    entries: entries.map(toRow),
    versions: versions.map(toVersion),
    changes: changes.map(toChange),
    identities: identities.map(toIdentity),
  };
}

/** The entry in a row; a row that does not match its checksum, or that we cannot have written, is damage. */
function toRow(row: Row): FoundRow {
  const doc = textColumn(row, 'doc');
  const entry = parseEntry(doc);
  const order = numberColumn(row, 'created_at');
  if (entry === undefined || entry.id !== row['id'] || entry.kind !== row['kind'] || !isDate(order))
    throw damaged();
  const found = {
    seq: numberColumn(row, 'seq'),
    words: numberColumn(row, 'words'),
    entry,
    order,
    deletedAt: optionalNumber(row, 'deleted_at'),
    saveKey: optionalText(row, 'save_key'),
  };
  if (entrySum(found, doc) !== row['sum']) throw damaged();
  return found;
}

function toStored(row: Row): StoredEntry {
  const { entry, seq, deletedAt } = toRow(row);
  return { entry, seq, deletedAt };
}

function toVersion(row: Row): MemoryEntry {
  const doc = textColumn(row, 'doc');
  const entry = parseEntry(doc);
  if (entry === undefined || row['sum'] !== sumOf('version', [entry.id, doc])) throw damaged();
  return entry;
}

function toChange(row: Row): Change {
  const doc = textColumn(row, 'doc');
  const change = parseChange(doc);
  if (change === undefined || row['sum'] !== sumOf('change', [doc])) throw damaged();
  return change;
}

function toIdentity(row: Row): SharedIdentity {
  const doc = textColumn(row, 'doc');
  const identity = parseIdentity(doc);
  if (identity === undefined || row['sum'] !== sumOf('identity', [identity.identity, doc])) throw damaged();
  return identity;
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'An entry of the memory is damaged.', {
    hint: 'Restore the memory from a backup.',
  });
}
