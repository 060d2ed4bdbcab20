/** The statements of a memory: what it is asked, and what is written to it. */
import { AppError } from '../../core/index.ts';
import {
  type Change,
  ENTRY_KINDS,
  type EntryKeys,
  type EntryKind,
  type FindFilter,
  type KeyMaker,
  type ListFilter,
  type MemoryEntry,
  type PurgeChoice,
  type SharedIdentity,
  type StoredEntry,
  type VectorRow,
} from '../memory-store.ts';
import { BRANCH } from './branch-rows.ts';
import { numberColumn, type Row, type SqlValue, textColumn } from './driver.ts';
import {
  type EntryRow,
  entrySum,
  isDate,
  LAST_DATE_MS,
  type MemoryRows,
  parseChange,
  parseEntry,
  parseIdentity,
  sumOf,
} from '../memory-rows.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

const COLUMNS = 'seq, id, kind, created_at, deleted_at, save_key, doc, sum';

const TITLE_WEIGHT = 2.5;

export interface FoundRow extends EntryRow {
  readonly seq: number;
}

export function findRow(tx: ReadTx, id: string): FoundRow | undefined {
  const row = tx.get(`SELECT ${COLUMNS} FROM entry WHERE id = ?`, id);
  return row === undefined ? undefined : toRow(row);
}

export function binRows(
  tx: ReadTx,
  which: PurgeChoice | { readonly seqs: readonly number[] },
): readonly FoundRow[] {
  if ('seqs' in which)
    return which.seqs.flatMap((seq) =>
      tx.all(`SELECT ${COLUMNS} FROM entry WHERE seq = ? AND deleted_at IS NOT NULL`, seq).map(toRow),
    );
  if ('before' in which)
    return tx.all(`SELECT ${COLUMNS} FROM entry WHERE deleted_at < ?`, which.before).map(toRow);
  return which.ids.flatMap((id) => {
    const row = findRow(tx, id);
    return row?.deletedAt === undefined ? [] : [row];
  });
}

export function findByKey(tx: ReadTx, saveKey: string | undefined): FoundRow | undefined {
  if (saveKey === undefined) return undefined;
  const row = tx.get(`SELECT ${COLUMNS} FROM entry WHERE save_key = ?`, saveKey);
  return row === undefined ? undefined : toRow(row);
}

/** The newest entry of this kind that matches, or has its name. */
export function findMatch(
  tx: ReadTx,
  entry: MemoryEntry,
  matches: ((old: MemoryEntry, entry: MemoryEntry) => boolean) | undefined,
): FoundRow | undefined {
  if (matches === undefined) return findNamesake(tx, entry);
  const rows = tx.all(
    `SELECT ${COLUMNS} FROM entry WHERE kind = ? AND deleted_at IS NULL ORDER BY created_at DESC, seq DESC`,
    entry.kind,
  );
  return rows.map(toRow).find((row) => matches(row.entry, entry));
}

function findNamesake(tx: ReadTx, { kind, name }: MemoryEntry): FoundRow | undefined {
  const row = tx.get(
    `SELECT ${COLUMNS} FROM entry
     WHERE kind = ? AND deleted_at IS NULL AND CASE WHEN json_valid(doc) THEN json_extract(doc, '$.name') = ? END
     ORDER BY created_at DESC, seq DESC LIMIT 1`,
    kind,
    name,
  );
  return row === undefined ? undefined : toRow(row);
}

export function listRows(tx: ReadTx, filter: ListFilter): readonly StoredEntry[] {
  const { kinds, limit, offset = 0, inBin = false, branch } = filter;
  if (![limit, offset].every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new AppError('bad_argument', 'The limit is not a whole number.');
  const rows = tx.all(
    `SELECT ${COLUMNS} FROM entry
     WHERE deleted_at IS ${inBin ? 'NOT ' : ''}NULL ${kindCondition(kinds)}
       ${branch === undefined ? '' : `AND ${BRANCH} = ?`}
     ORDER BY ${inBin ? 'deleted_at DESC' : 'created_at DESC'}, seq DESC LIMIT ? OFFSET ?`,
    ...(kinds ?? []),
    ...(branch === undefined ? [] : [branch]),
    limit,
    offset,
  );
  return rows.map(toStored);
}

/** A place behind all others, even if the clock has gone back since: a time, or a little more than the latest one. */
export function nextOrder(tx: ReadTx, now: number): number {
  const latest = ENTRY_KINDS.map((kind) => {
    const row = tx.get(
      'SELECT max(created_at) AS latest FROM entry WHERE kind = ? AND deleted_at IS NULL',
      kind,
    );
    return typeof row?.['latest'] === 'number' ? row['latest'] : -1;
  });
  return Math.min(LAST_DATE_MS, Math.max(now, 1 + Math.max(...latest)));
}

export function fingerprintSeqs(tx: ReadTx, fingerprint: string, limit: number): readonly number[] {
  return tx
    .all(
      `SELECT seq FROM entry WHERE fingerprint = ? AND deleted_at IS NULL ORDER BY seq DESC LIMIT ?`,
      fingerprint,
      limit,
    )
    .map((row) => numberColumn(row, 'seq'));
}

export function rowsAt(
  tx: ReadTx,
  seqs: readonly number[],
  { kinds, limit }: FindFilter,
): readonly StoredEntry[] {
  const found: StoredEntry[] = [];
  const sql = `SELECT ${COLUMNS} FROM entry WHERE seq = ? AND deleted_at IS NULL ${kindCondition(kinds)}`;
  for (const seq of seqs) {
    if (found.length >= limit) break;
    const row = tx.get(sql, seq, ...(kinds ?? []));
    if (row !== undefined) found.push(toStored(row));
  }
  return found;
}

/** Near enough to weigh words by, and there at once. */
export function countEntries(tx: ReadTx): number {
  const row = tx.get('SELECT coalesce(max(seq), 0) AS count FROM entry');
  return row === undefined ? 0 : numberColumn(row, 'count');
}

export function countWords(tx: ReadTx, words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of new Set(words)) {
    const row = tx.get('SELECT doc FROM entry_vocabulary WHERE term = ?', word);
    if (row !== undefined) counts.set(word, numberColumn(row, 'doc'));
  }
  return counts;
}

/** Places only: most of what is found is never read. */
export function wordSeqs(
  tx: ReadTx,
  words: readonly string[],
  { kinds, limit }: FindFilter,
): readonly number[] {
  if (words.length === 0) return [];
  const rows = tx.all(
    `SELECT seq FROM entry JOIN (
       SELECT rowid AS hit, bm25(entry_words, ${TITLE_WEIGHT}, 1) AS score FROM entry_words
       WHERE entry_words MATCH ? ORDER BY score LIMIT ?
     ) ON seq = hit WHERE deleted_at IS NULL ${kindCondition(kinds)} ORDER BY score LIMIT ?`,
    words.map((word) => `"${word}"`).join(' OR '),
    kinds === undefined ? limit : limit * 4,
    ...(kinds ?? []),
    limit,
  );
  return rows.map((row) => numberColumn(row, 'seq'));
}

export function vectorRows(tx: ReadTx, mark: number): { mark: number; rows: readonly VectorRow[] } {
  const state = tx.get('SELECT mark FROM key_state');
  const rows = tx.all('SELECT seq, vector FROM entry_vector WHERE mark > ? ORDER BY mark', mark);
  return {
    mark: state === undefined ? 0 : numberColumn(state, 'mark'),
    rows: rows.map((row) => ({ seq: numberColumn(row, 'seq'), vector: toVector(row['vector']) })),
  };
}

/** The entry in a row; a row that does not match its checksum, or that we cannot have written, is damage. */
export function toRow(row: Row): FoundRow {
  const doc = textColumn(row, 'doc');
  const entry = parseEntry(doc);
  const { deleted_at: deletedAt, save_key: saveKey, created_at: order } = row;
  if (entry === undefined || entry.id !== row['id'] || entry.kind !== row['kind'] || !isDate(order))
    throw damaged();
  const found = {
    seq: numberColumn(row, 'seq'),
    entry,
    order,
    deletedAt: typeof deletedAt === 'number' ? deletedAt : undefined,
    saveKey: typeof saveKey === 'string' ? saveKey : undefined,
  };
  if (found.deletedAt !== undefined && !isDate(found.deletedAt)) throw damaged();
  if (entrySum(found, doc) !== row['sum']) throw damaged();
  return found;
}

export function parseStored(doc: string): MemoryEntry {
  const entry = parseEntry(doc);
  if (entry === undefined) throw damaged();
  return entry;
}

/** Reads every row there is; throws `storage_damaged` at the first that cannot be ours. */
export function checkEveryRow(tx: ReadTx): void {
  for (const row of tx.all(`SELECT ${COLUMNS} FROM entry`)) toRow(row);
  for (const row of tx.all('SELECT entry_id, doc, sum FROM entry_version')) toVersion(row);
  for (const row of tx.all('SELECT doc, sum FROM change')) toChange(row);
  for (const row of tx.all('SELECT identity, doc, sum FROM identity')) toIdentity(row);
  const state = tx.all('SELECT version, mark FROM key_state');
  if (state.length !== 1 || !Number.isSafeInteger(state[0]?.['mark'])) throw damaged();
}

function toVersion(row: Row): void {
  const doc = textColumn(row, 'doc');
  const entryId = textColumn(row, 'entry_id');
  if (parseStored(doc).id !== entryId || row['sum'] !== sumOf('version', [entryId, doc])) throw damaged();
}

function toChange(row: Row): void {
  const doc = textColumn(row, 'doc');
  if (parseChange(doc) === undefined || row['sum'] !== sumOf('change', [doc])) throw damaged();
}

function toIdentity(row: Row): void {
  const doc = textColumn(row, 'doc');
  const identity = textColumn(row, 'identity');
  if (parseIdentity(doc)?.identity !== identity || row['sum'] !== sumOf('identity', [identity, doc]))
    throw damaged();
}

function toStored(row: Row): StoredEntry {
  const { entry, seq, deletedAt } = toRow(row);
  return { entry, seq, deletedAt };
}

function damaged(): AppError {
  return new AppError('storage_damaged', 'An entry of the memory is damaged.', {
    hint: 'Run `waymark doctor`.',
  });
}

function kindCondition(kinds: readonly EntryKind[] | undefined): string {
  return kinds === undefined ? '' : `AND kind IN (${kinds.map(() => '?').join(', ')})`;
}

function toVector(value: SqlValue | undefined): Int8Array {
  return value instanceof Uint8Array
    ? new Int8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Int8Array();
}

/** Adds an entry that is not there yet; returns its place. */
export function insertEntry(tx: WriteTx, row: EntryRow, keys: EntryKeys): number {
  const { entry, order, deletedAt, saveKey } = row;
  const doc = JSON.stringify(entry);
  const { lastInsertRowid: seq } = tx.run(
    `INSERT INTO entry (id, kind, created_at, deleted_at, save_key, fingerprint, doc, sum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    entry.id,
    entry.kind,
    order,
    deletedAt ?? null,
    saveKey ?? null,
    keys.fingerprint ?? null,
    doc,
    entrySum(row, doc),
  );
  if (deletedAt === undefined) writeKeys(tx, seq, keys);
  return seq;
}

/** Puts this state of an entry in place of the one that is there. */
export function updateEntry(tx: WriteTx, seq: number, row: EntryRow, keys: EntryKeys): void {
  const doc = JSON.stringify(row.entry);
  tx.run(
    'UPDATE entry SET deleted_at = ?, save_key = ?, fingerprint = ?, doc = ?, sum = ? WHERE seq = ?',
    row.deletedAt ?? null,
    row.saveKey ?? null,
    keys.fingerprint ?? null,
    doc,
    entrySum(row, doc),
    seq,
  );
  removeKeys(tx, seq);
  if (row.deletedAt === undefined) writeKeys(tx, seq, keys);
}

export function deleteEntry(tx: WriteTx, seq: number, id: string): void {
  removeKeys(tx, seq);
  tx.run('DELETE FROM entry WHERE seq = ?', seq);
  tx.run('DELETE FROM bin WHERE seq = ?', seq);
  tx.run('DELETE FROM entry_version WHERE entry_id = ?', id);
}

export function insertVersion(tx: WriteTx, entry: MemoryEntry): void {
  const doc = JSON.stringify(entry);
  tx.run(
    'INSERT INTO entry_version (entry_id, doc, sum) VALUES (?, ?, ?)',
    entry.id,
    doc,
    sumOf('version', [entry.id, doc]),
  );
}

export function insertChange(tx: WriteTx, change: Change): void {
  const doc = JSON.stringify(change);
  tx.run('INSERT INTO change (doc, sum) VALUES (?, ?)', doc, sumOf('change', [doc]));
}

export function insertIdentity(tx: WriteTx, identity: SharedIdentity): void {
  const doc = JSON.stringify(identity);
  tx.run(
    `INSERT INTO identity (identity, doc, sum) VALUES (?, ?, ?)
     ON CONFLICT (identity) DO UPDATE SET doc = excluded.doc, sum = excluded.sum`,
    identity.identity,
    doc,
    sumOf('identity', [identity.identity, doc]),
  );
}

/** Adds what is not there yet; tells how many entries that were. */
export function insertRows(tx: WriteTx, rows: MemoryRows, keyMaker: KeyMaker): number {
  const added = new Set<string>();
  for (const row of rows.entries) {
    if (tx.get('SELECT 1 FROM entry WHERE id = ?', row.entry.id) !== undefined) continue;
    const taken =
      row.saveKey !== undefined &&
      tx.get('SELECT 1 FROM entry WHERE save_key = ?', row.saveKey) !== undefined;
    insertEntry(tx, taken ? { ...row, saveKey: undefined } : row, keyMaker.keysOf(row.entry));
    added.add(row.entry.id);
  }
  for (const version of rows.versions) if (added.has(version.id)) insertVersion(tx, version);
  for (const change of rows.changes) if (added.has(change.entryId)) insertChange(tx, change);
  return added.size;
}

/** Puts these rows in place of all that are there; tells how many entries they hold. */
export function replaceRows(tx: WriteTx, rows: MemoryRows, keyMaker: KeyMaker): number {
  deleteEverything(tx);
  for (const row of rows.entries) insertEntry(tx, row, keyMaker.keysOf(row.entry));
  for (const version of rows.versions) insertVersion(tx, version);
  for (const change of rows.changes) insertChange(tx, change);
  for (const identity of rows.identities) insertIdentity(tx, identity);
  return rows.entries.length;
}

function deleteEverything(tx: WriteTx): void {
  // Without `linked_file` files are compared anew: none is deleted because a backup did not know its entry.
  for (const table of ['entry', 'entry_version', 'change', 'identity', 'entry_vector', 'bin', 'linked_file'])
    tx.run(`DELETE FROM ${table}`);
  tx.run(`INSERT INTO entry_words (entry_words) VALUES ('delete-all')`);
}

/** Makes all keys anew. */
export function rewriteKeys(tx: WriteTx, keyMaker: KeyMaker, parse: (doc: string) => MemoryEntry): void {
  tx.run(`INSERT INTO entry_words (entry_words) VALUES ('delete-all')`);
  tx.run('DELETE FROM entry_vector');
  for (const row of tx.all('SELECT seq, doc, deleted_at FROM entry ORDER BY seq')) {
    const keys = keyMaker.keysOf(parse(textColumn(row, 'doc')));
    const seq = numberColumn(row, 'seq');
    tx.run('UPDATE entry SET fingerprint = ? WHERE seq = ?', keys.fingerprint ?? null, seq);
    if (row['deleted_at'] === null) writeKeys(tx, seq, keys);
  }
  tx.run('UPDATE key_state SET version = ?', keyMaker.version);
}

function writeKeys(tx: WriteTx, seq: number, keys: EntryKeys): void {
  tx.run('INSERT INTO entry_words (rowid, title, body) VALUES (?, ?, ?)', seq, keys.title, keys.body);
  if (keys.vector === undefined) return;
  tx.run('UPDATE key_state SET mark = mark + 1');
  tx.run(
    'INSERT INTO entry_vector (seq, mark, vector) VALUES (?, (SELECT mark FROM key_state), ?)',
    seq,
    new Uint8Array(keys.vector.buffer, keys.vector.byteOffset, keys.vector.byteLength),
  );
}

function removeKeys(tx: WriteTx, seq: number): void {
  tx.run('DELETE FROM entry_words WHERE rowid = ?', seq);
  tx.run('DELETE FROM entry_vector WHERE seq = ?', seq);
}
