/** Writes the rows of a memory together with the keys they are found by; every function runs inside one transaction. */
import type { Change, EntryKeys, KeyMaker, MemoryEntry, SharedIdentity } from '../memory-store.ts';
import { numberColumn, textColumn } from './driver.ts';
import { entrySum, sumOf, type EntryRow, type MemoryRows } from './memory-rows.ts';
import type { WriteTx } from './transactions.ts';

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
  for (const table of ['entry', 'entry_version', 'change', 'identity', 'entry_vector', 'bin'])
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
