/** Reads a memory as if another program had written it: nothing in it is believed before it was checked. */
import type { Change, MemoryEntry, SharedIdentity } from '../../memory-store.ts';
import {
  changeProblem,
  entryProblem,
  type EntryRow,
  entrySum,
  type Fields,
  identityProblem,
  isDate,
  type MemoryRows,
  parseChange,
  parseEntry,
  parseFields,
  parseIdentity,
  sumOf,
} from '../../memory-rows.ts';
import type { Connection, Row, SqlValue } from '../driver.ts';
import { APPLICATION_ID, readIdentity } from '../inspect.ts';
import { MEMORY_MIGRATIONS } from '../memory-schema.ts';
import { schemaProblem } from '../schema-objects.ts';

/** Thrown by `readMemory`; the message says what is wrong, in our own words. */
export class Unsound extends Error {}

/** All rows of an open memory. Throws `Unsound` at the first thing that is not as we write it, and closes the connection. */
export function readMemory(connection: Connection): MemoryRows {
  try {
    connection.enableDefensive?.(true);
    connection.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON; BEGIN',
    );
    const { applicationId, version } = readIdentity(connection);
    if (applicationId !== APPLICATION_ID) throw new Unsound('it is a database of another program');
    if (version > MEMORY_MIGRATIONS.length) throw new Unsound('it was written by a newer Waymark');
    const all = (sql: string): readonly Row[] => connection.prepare(sql).all();
    // Before any other statement: a prepared schema could make ours mean something else.
    const wrong = schemaProblem(all, MEMORY_MIGRATIONS.slice(0, version));
    if (version < 1 || wrong !== undefined) throw new Unsound(wrong ?? 'it holds no memory');
    if (all('PRAGMA integrity_check').some((row) => row['integrity_check'] !== 'ok'))
      throw new Unsound('it is damaged');
    return readRows(all);
  } finally {
    connection.close();
  }
}

function readRows(all: (sql: string) => readonly Row[]): MemoryRows {
  const entries = all('SELECT * FROM entry ORDER BY created_at, seq').map((row) => toEntryRow(row));
  const ids = new Set(entries.map(({ entry }) => entry.id));
  const versions = all('SELECT * FROM entry_version ORDER BY seq').map((row) => toVersion(row, ids));
  return {
    entries,
    versions,
    changes: all('SELECT * FROM change ORDER BY seq').map((row) => toChange(row)),
    identities: all('SELECT * FROM identity ORDER BY seq').map((row) => toIdentity(row)),
  };
}

function toEntryRow(row: Row): EntryRow {
  const { id, kind, created_at: order, deleted_at: deleted, save_key: key } = row;
  const { doc, value } = documentOf(row, 'an entry');
  const wrong = entryProblem(value);
  const who =
    wrong === undefined || /^[a-z]+-[0-9a-f]{12}$/.test(String(value['id']))
      ? `entry ${String(value['id'])}`
      : 'an entry';
  const entry = parseEntry(doc);
  if (wrong !== undefined || entry === undefined)
    throw new Unsound(`${who}: ${wrong ?? 'it cannot be read'}`);
  if (entry.id !== id || entry.kind !== kind) throw new Unsound(`${who} stands under another id or kind`);
  if (!isDate(order)) throw new Unsound(`${who}: its sort key is not a valid date`);
  const deletedAt = deleted === null ? undefined : toDate(deleted, who);
  const found = { entry, order, deletedAt, saveKey: typeof key === 'string' ? key : undefined };
  if (row['sum'] !== entrySum(found, doc)) throw new Unsound(`${who} does not match its checksum`);
  return found;
}

function toVersion(row: Row, ids: ReadonlySet<string>): MemoryEntry {
  const { doc, value } = documentOf(row, 'an earlier version');
  const entry = parseEntry(doc);
  const wrong = entryProblem(value);
  if (wrong !== undefined || entry === undefined)
    throw new Unsound(`an earlier version: ${wrong ?? 'it cannot be read'}`);
  if (entry.id !== row['entry_id'] || !ids.has(entry.id))
    throw new Unsound(`an earlier version of ${entry.id} belongs to no entry`);
  if (row['sum'] !== sumOf('version', [entry.id, doc]))
    throw new Unsound(`an earlier version of ${entry.id} does not match its checksum`);
  return entry;
}

function toChange(row: Row): Change {
  const { doc, value } = documentOf(row, 'a line of the log');
  const wrong = changeProblem(value);
  const change = parseChange(doc);
  if (wrong !== undefined || change === undefined)
    throw new Unsound(`a line of the log: ${wrong ?? 'it cannot be read'}`);
  if (row['sum'] !== sumOf('change', [doc]))
    throw new Unsound('a line of the log does not match its checksum');
  return change;
}

function toIdentity(row: Row): SharedIdentity {
  const { doc, value } = documentOf(row, 'a project');
  const wrong = identityProblem(value);
  const identity = parseIdentity(doc);
  if (wrong !== undefined || identity === undefined)
    throw new Unsound(`a project: ${wrong ?? 'it cannot be read'}`);
  if (identity.identity !== row['identity'] || row['sum'] !== sumOf('identity', [identity.identity, doc]))
    throw new Unsound('a project does not match its checksum');
  return identity;
}

function documentOf(row: Row, what: string): { readonly doc: string; readonly value: Fields } {
  const { doc } = row;
  const value = typeof doc === 'string' ? parseFields(doc) : undefined;
  if (typeof doc !== 'string' || value === undefined) throw new Unsound(`${what} is no JSON object`);
  return { doc, value };
}

function toDate(value: SqlValue | undefined, who: string): number {
  if (isDate(value)) return value;
  throw new Unsound(`${who}: the time of its deletion is not a valid date`);
}
