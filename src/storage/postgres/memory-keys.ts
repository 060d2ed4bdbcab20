/** What entries are found by, as rows beside them. */
import { createHash } from 'node:crypto';
import type { EntryKeys } from '../memory-store.ts';
import type { Queries } from './database.ts';
import { numberColumn, textColumn } from './driver.ts';
import type { Tenancy } from './tenancy.ts';

/** The rows of one memory. */
export interface Space extends Pick<Tenancy, 'tenant'> {
  readonly space: number;
}

const TITLE_WEIGHT = 2.5;

export interface EntryWords {
  /** How many there are, repetitions too. */
  readonly count: number;
  /** How often each occurs, in the title more than once. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Pure. */
export function wordsOf({ title, body }: Pick<EntryKeys, 'title' | 'body'>): EntryWords {
  const weights = new Map<string, number>();
  let count = 0;
  for (const [text, weight] of [
    [title, TITLE_WEIGHT],
    [body, 1],
  ] as const) {
    for (const word of text.toLowerCase().split(' ')) {
      if (word === '') continue;
      count += 1;
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  return { count, weights };
}

/** A name can be longer than what an index holds. */
export function digestOfName(name: string): Uint8Array {
  return createHash('sha256').update(name).digest();
}

export function toBytes(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export interface KeyedRow {
  readonly seq: number;
  readonly keys: EntryKeys;
}

/** The caller holds the lock of the memory. Marks follow the order of the rows. */
export async function insertKeys(
  queries: Queries,
  { tenant, space }: Space,
  rows: readonly KeyedRow[],
): Promise<void> {
  const worded = rows.map(({ seq, keys }) => ({ seq, ...wordsOf(keys) }));
  const words = worded.flatMap(({ seq, count, weights }) =>
    [...weights].map(([word, weight]) => ({ seq, count, word, weight })),
  );
  await queries.run(
    `INSERT INTO entry_word (tenant_id, space_id, word, seq, weight, words)
     SELECT $1::integer, $2::bigint, * FROM unnest($3::text[], $4::bigint[], $5::real[], $6::integer[])`,
    tenant,
    space,
    words.map(({ word }) => word),
    words.map(({ seq }) => seq),
    words.map(({ weight }) => weight),
    words.map(({ count }) => count),
  );
  const vectors = rows.flatMap(({ seq, keys: { vector } }) =>
    vector === undefined ? [] : [{ seq, vector }],
  );
  const total = worded.reduce((sum, { count }) => sum + count, 0);
  await queries.run(
    `WITH counted AS (
       UPDATE space SET mark = mark + $3, worded = worded + $4, words = words + $5
       WHERE tenant_id = $1 AND id = $2 RETURNING mark - $3 AS mark)
     INSERT INTO entry_vector (tenant_id, space_id, seq, mark, vector)
     SELECT $1::integer, $2::bigint, t.seq, counted.mark + t.at, t.vector
     FROM counted, unnest($6::bigint[], $7::bytea[]) WITH ORDINALITY AS t (seq, vector, at)`,
    tenant,
    space,
    vectors.length,
    rows.length,
    total,
    vectors.map(({ seq }) => seq),
    vectors.map(({ vector }) => `\\x${Buffer.from(toBytes(vector)).toString('hex')}`),
  );
}

/** Of an entry that has keys: one that is not in the bin. */
export async function removeKeys(
  queries: Queries,
  { tenant, space }: Space,
  { seq, words }: { readonly seq: number; readonly words: number },
): Promise<void> {
  for (const table of ['entry_word', 'entry_vector'])
    await queries.run(
      `DELETE FROM ${table} WHERE tenant_id = $1 AND space_id = $2 AND seq = $3`,
      tenant,
      space,
      seq,
    );
  await queries.run(
    'UPDATE space SET worded = worded - 1, words = words - $3 WHERE tenant_id = $1 AND id = $2',
    tenant,
    space,
    words,
  );
}

export async function clearKeys(queries: Queries, { tenant, space }: Space): Promise<void> {
  for (const table of ['entry_word', 'entry_vector'])
    await queries.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND space_id = $2`, tenant, space);
  // The mark goes on: readers ask for what is behind the one they have seen.
  await queries.run(
    'UPDATE space SET worded = 0, words = 0, cleared = change WHERE tenant_id = $1 AND id = $2',
    tenant,
    space,
  );
}

const BATCH = 500;

/** Makes all keys anew. The caller holds the lock of the memory. */
export async function rewriteKeys(
  queries: Queries,
  { tenant, space }: Space,
  { keysOf, version }: { readonly keysOf: (doc: string) => EntryKeys; readonly version: string },
): Promise<void> {
  await clearKeys(queries, { tenant, space });
  for (let from = -1; ;) {
    const rows = await queries.all(
      `SELECT seq, doc, deleted_at FROM entry WHERE tenant_id = $1 AND space_id = $2 AND seq > $3 ORDER BY seq LIMIT ${BATCH}`,
      tenant,
      space,
      from,
    );
    if (rows.length === 0) break;
    const keyed = rows.map((row) => ({
      seq: numberColumn(row, 'seq'),
      isLive: row['deleted_at'] === null,
      keys: keysOf(textColumn(row, 'doc')),
    }));
    await queries.run(
      `UPDATE entry e SET fingerprint = t.fingerprint, words = t.words
       FROM unnest($3::bigint[], $4::text[], $5::integer[]) AS t (seq, fingerprint, words)
       WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.seq = t.seq`,
      tenant,
      space,
      keyed.map(({ seq }) => seq),
      keyed.map(({ keys }) => keys.fingerprint ?? null),
      keyed.map(({ keys }) => wordsOf(keys).count),
    );
    await insertKeys(
      queries,
      { tenant, space },
      keyed.filter(({ isLive }) => isLive),
    );
    from = keyed.at(-1)?.seq ?? from;
  }
  await queries.run('UPDATE space SET keys_by = $3 WHERE tenant_id = $1 AND id = $2', tenant, space, version);
}
