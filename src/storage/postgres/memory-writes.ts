/** What is written to a memory. Callers hold its lock, except for a save that is one statement. */
import type { Change, EntryKeys, KeyMaker, MemoryEntry, SharedIdentity } from '../memory-store.ts';
import { type EntryRow, entrySum, LAST_DATE_MS, type MemoryRows, sumOf } from '../memory-rows.ts';
import type { BinAge } from '../plan-bin.ts';
import type { Queries } from './database.ts';
import { numberColumn } from './driver.ts';
import {
  clearKeys,
  digestOfName,
  insertKeys,
  removeKeys,
  type Space,
  toBytes,
  wordsOf,
} from './memory-keys.ts';
import type { FoundRow, Reader } from './memory-queries.ts';

/** Writers of one memory go one after the other; what they number becomes visible in that order. Resolves with the last place. */
export async function lockSpace(queries: Queries, { tenant, space }: Space): Promise<number> {
  const [row] = await queries.all(
    'UPDATE space SET change = change + 1 WHERE tenant_id = $1 AND id = $2 RETURNING seq',
    tenant,
    space,
  );
  return row === undefined ? 0 : numberColumn(row, 'seq');
}

/** A place behind all others, even if the clock has gone back since: a time, or a little more than the latest one. */
const NEXT_ORDER = `least(${LAST_DATE_MS}, greatest($3::bigint, 1 + coalesce((
  SELECT max(created_at) FROM entry WHERE tenant_id = $1 AND space_id = $2 AND deleted_at IS NULL), -1)))`;

export async function nextOrder(queries: Queries, { tenant, space }: Space, now: number): Promise<number> {
  const [row] = await queries.all(`SELECT ${NEXT_ORDER} AS latest`, tenant, space, now);
  return row === undefined ? now : numberColumn(row, 'latest');
}

/**
 * Everything a save does as one statement: one wait for the disk, and no lock that is held across the network. An entry of the
 * same id or key leaves everything as it is.
 */
const SAVE = `
  WITH locked AS (SELECT seq, mark, change FROM space WHERE tenant_id = $1 AND id = $2 FOR UPDATE),
  saved AS (
    INSERT INTO entry (tenant_id, space_id, seq, id, kind, name_digest, created_at, save_key, fingerprint, words, doc, sum,
      change)
    SELECT $1::integer, $2::bigint, locked.seq + 1, $4::text, $5::text, $6::bytea, ${NEXT_ORDER}, $7::text, $8::text,
      $9::integer, $10::text, $11::text, locked.change + 1 FROM locked ON CONFLICT DO NOTHING RETURNING seq),
  counted AS (
    UPDATE space SET seq = space.seq + 1, change = change + 1, mark = mark + CASE WHEN $12::bytea IS NULL THEN 0 ELSE 1 END,
      worded = worded + 1, words = words + $9::integer FROM saved WHERE tenant_id = $1 AND id = $2),
  worded AS (
    INSERT INTO entry_word (tenant_id, space_id, word, seq, weight, words)
    SELECT $1::integer, $2::bigint, t.word, saved.seq, t.weight, $9::integer
    FROM saved, unnest($13::text[], $14::real[]) AS t (word, weight)),
  placed AS (
    INSERT INTO entry_vector (tenant_id, space_id, seq, mark, vector)
    SELECT $1::integer, $2::bigint, saved.seq, locked.mark + 1, $12::bytea FROM saved, locked WHERE $12::bytea IS NOT NULL),
  noted AS (
    INSERT INTO change (tenant_id, space_id, doc, sum)
    SELECT $1::integer, $2::bigint, $15::text, $16::text FROM saved)
  SELECT seq FROM saved`;

export interface NewEntry {
  readonly entry: MemoryEntry;
  readonly keys: EntryKeys;
  readonly saveKey: string | undefined;
  readonly change: Change;
}

/** Resolves with its place; undefined if there is one of its id or key. */
export async function saveAtOnce(
  reader: Reader,
  { tenant, space }: Space,
  { entry, keys, saveKey, change }: NewEntry,
): Promise<number | undefined> {
  const doc = JSON.stringify(entry);
  const noted = JSON.stringify(change);
  const { count, weights } = wordsOf(keys);
  const [row] = await reader.all(
    SAVE,
    tenant,
    space,
    entry.createdAt,
    entry.id,
    entry.kind,
    digestOfName(entry.name),
    saveKey ?? null,
    keys.fingerprint ?? null,
    count,
    doc,
    entrySum({ entry, deletedAt: undefined, saveKey }, doc),
    keys.vector === undefined ? null : toBytes(keys.vector),
    [...weights.keys()],
    [...weights.values()],
    noted,
    sumOf('change', [noted]),
  );
  return row === undefined ? undefined : numberColumn(row, 'seq');
}

export interface RowToAdd {
  readonly row: EntryRow;
  readonly keys: EntryKeys;
}

const BATCH = 500;
/** As `lockSpace` counted it. */
const LAST_CHANGE = '(SELECT change FROM space WHERE tenant_id = $1 AND id = $2)';

/** Adds entries whose ids and keys are not there; `last` is the last place before. Resolves with the last place now. */
export async function insertEntries(
  queries: Queries,
  { tenant, space }: Space,
  { rows, last }: { readonly rows: readonly RowToAdd[]; readonly last: number },
): Promise<number> {
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH).map((one, place) => ({
      ...one,
      seq: last + at + place + 1,
      doc: JSON.stringify(one.row.entry),
    }));
    await queries.run(
      `INSERT INTO entry (tenant_id, space_id, change, seq, id, kind, name_digest, created_at, deleted_at, save_key,
         fingerprint, words, doc, sum)
       SELECT $1::integer, $2::bigint, ${LAST_CHANGE}, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::bytea[], $7::bigint[],
         $8::bigint[], $9::text[], $10::text[], $11::integer[], $12::text[], $13::text[])`,
      tenant,
      space,
      batch.map(({ seq }) => seq),
      batch.map(({ row }) => row.entry.id),
      batch.map(({ row }) => row.entry.kind),
      batch.map(({ row }) => `\\x${Buffer.from(digestOfName(row.entry.name)).toString('hex')}`),
      batch.map(({ row }) => row.order),
      batch.map(({ row }) => row.deletedAt ?? null),
      batch.map(({ row }) => row.saveKey ?? null),
      batch.map(({ keys }) => keys.fingerprint ?? null),
      batch.map(({ keys }) => wordsOf(keys).count),
      batch.map(({ doc }) => doc),
      batch.map(({ row, doc }) => entrySum(row, doc)),
    );
    await insertKeys(
      queries,
      { tenant, space },
      batch.filter(({ row }) => row.deletedAt === undefined),
    );
  }
  await queries.run(
    'UPDATE space SET seq = seq + $3 WHERE tenant_id = $1 AND id = $2',
    tenant,
    space,
    rows.length,
  );
  return last + rows.length;
}

/** Puts this state of an entry in place of the one that is there. */
export async function updateEntry(
  queries: Queries,
  { tenant, space }: Space,
  { old, row, keys }: { readonly old: FoundRow; readonly row: EntryRow; readonly keys: EntryKeys },
): Promise<void> {
  const doc = JSON.stringify(row.entry);
  const { seq } = old;
  if (old.deletedAt === undefined) await removeKeys(queries, { tenant, space }, old);
  await queries.run(
    `UPDATE entry SET deleted_at = $4, save_key = $5, fingerprint = $6, doc = $7, sum = $8, name_digest = $9, words = $10,
       change = ${LAST_CHANGE}
     WHERE tenant_id = $1 AND space_id = $2 AND seq = $3`,
    tenant,
    space,
    seq,
    row.deletedAt ?? null,
    row.saveKey ?? null,
    keys.fingerprint ?? null,
    doc,
    entrySum(row, doc),
    digestOfName(row.entry.name),
    wordsOf(keys).count,
  );
  if (row.deletedAt === undefined) await insertKeys(queries, { tenant, space }, [{ seq, keys }]);
}

/** Of an entry in the bin, which has no keys. */
export async function deleteEntry(
  queries: Queries,
  { tenant, space }: Space,
  { seq, entry }: FoundRow,
): Promise<void> {
  // Who has not read that it went to the bin would never hear of it.
  await queries.run('UPDATE space SET cleared = change WHERE tenant_id = $1 AND id = $2', tenant, space);
  await queries.run(
    'DELETE FROM entry WHERE tenant_id = $1 AND space_id = $2 AND seq = $3',
    tenant,
    space,
    seq,
  );
  await queries.run(
    'DELETE FROM entry_version WHERE tenant_id = $1 AND space_id = $2 AND entry_id = $3',
    tenant,
    space,
    entry.id,
  );
}

export async function insertVersions(
  queries: Queries,
  { tenant, space }: Space,
  entries: readonly MemoryEntry[],
): Promise<void> {
  const docs = entries.map((entry) => JSON.stringify(entry));
  await queries.run(
    `INSERT INTO entry_version (tenant_id, space_id, entry_id, doc, sum)
     SELECT $1::integer, $2::bigint, t.entry_id, t.doc, t.sum
     FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS t (entry_id, doc, sum, at) ORDER BY t.at`,
    tenant,
    space,
    entries.map(({ id }) => id),
    docs,
    entries.map(({ id }, at) => sumOf('version', [id, docs[at]])),
  );
}

export async function insertChanges(
  queries: Queries,
  { tenant, space }: Space,
  changes: readonly Change[],
): Promise<void> {
  const docs = changes.map((change) => JSON.stringify(change));
  await queries.run(
    `INSERT INTO change (tenant_id, space_id, doc, sum)
     SELECT $1::integer, $2::bigint, t.doc, t.sum
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS t (doc, sum, at) ORDER BY t.at`,
    tenant,
    space,
    docs,
    docs.map((doc) => sumOf('change', [doc])),
  );
}

export async function insertIdentity(
  queries: Queries,
  { tenant, space }: Space,
  identity: SharedIdentity,
): Promise<void> {
  const doc = JSON.stringify(identity);
  await queries.run(
    `INSERT INTO identity (tenant_id, space_id, identity, doc, sum) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, space_id, identity) DO UPDATE SET doc = excluded.doc, sum = excluded.sum`,
    tenant,
    space,
    identity.identity,
    doc,
    sumOf('identity', [identity.identity, doc]),
  );
}

export async function writeBinAge(
  queries: Queries,
  { tenant, space }: Space,
  { seq, seenAt, ageMs }: BinAge,
): Promise<void> {
  await queries.run(
    `INSERT INTO bin (tenant_id, space_id, seq, seen_at, age_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, space_id, seq) DO UPDATE SET seen_at = excluded.seen_at, age_ms = excluded.age_ms`,
    tenant,
    space,
    seq,
    seenAt,
    ageMs,
  );
}

export async function takeOutOfBin(queries: Queries, { tenant, space }: Space, seq: number): Promise<void> {
  await queries.run(
    'DELETE FROM bin WHERE tenant_id = $1 AND space_id = $2 AND seq = $3',
    tenant,
    space,
    seq,
  );
}

/** Adds what is not there yet; tells how many entries that were. */
export async function addRows(
  queries: Queries,
  space: Space,
  { rows, keyMaker, last }: { readonly rows: MemoryRows; readonly keyMaker: KeyMaker; readonly last: number },
): Promise<number> {
  const known = await queries.all(
    'SELECT id, save_key FROM entry WHERE tenant_id = $1 AND space_id = $2 AND (id = ANY ($3::text[]) OR save_key = ANY ($4::text[]))',
    space.tenant,
    space.space,
    rows.entries.map(({ entry }) => entry.id),
    rows.entries.flatMap(({ saveKey }) => saveKey ?? []),
  );
  const ids = new Set(known.map((row) => row['id']));
  const saveKeys = new Set(known.map((row) => row['save_key']));
  const fresh = rows.entries
    .filter(({ entry }) => !ids.has(entry.id))
    .map((row) => ({
      row: row.saveKey !== undefined && saveKeys.has(row.saveKey) ? { ...row, saveKey: undefined } : row,
      keys: keyMaker.keysOf(row.entry),
    }));
  const added = new Set(fresh.map(({ row }) => row.entry.id));
  await insertEntries(queries, space, { rows: fresh, last });
  await insertVersions(
    queries,
    space,
    rows.versions.filter(({ id }) => added.has(id)),
  );
  await insertChanges(
    queries,
    space,
    rows.changes.filter(({ entryId }) => added.has(entryId)),
  );
  return added.size;
}

/** Puts these rows in place of all that are there; tells how many entries they hold. */
export async function replaceRows(
  queries: Queries,
  space: Space,
  { rows, keyMaker, last }: { readonly rows: MemoryRows; readonly keyMaker: KeyMaker; readonly last: number },
): Promise<number> {
  await clearKeys(queries, space);
  for (const table of ['entry', 'entry_version', 'change', 'identity'])
    await queries.run(
      `DELETE FROM ${table} WHERE tenant_id = $1 AND space_id = $2`,
      space.tenant,
      space.space,
    );
  const entries = rows.entries.map((row) => ({ row, keys: keyMaker.keysOf(row.entry) }));
  await insertEntries(queries, space, { rows: entries, last });
  await insertVersions(queries, space, rows.versions);
  await insertChanges(queries, space, rows.changes);
  for (const identity of rows.identities) await insertIdentity(queries, space, identity);
  return rows.entries.length;
}
