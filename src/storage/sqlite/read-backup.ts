/**
 * Reads the rows of a backup, all of them or none. Unlike salvage, which saves what it can of a store of ours, this takes a
 * file from elsewhere: nothing in it is believed before it was checked, and the first thing wrong refuses the whole of it.
 */
import { basename, join } from 'node:path';
import { AppError } from '../../core/index.ts';
import {
  copyPlainFile,
  lookAtFile,
  makePrivateFolder,
  pathExists,
  removeFolder,
} from '../../platform/index.ts';
import type { Change, MemoryEntry, SharedIdentity } from '../memory-store.ts';
import {
  changeProblem,
  entryProblem,
  identityProblem,
  isDate,
  parseFields,
  type Fields,
} from './check-rows.ts';
import { loadDriver, type Connection, type Row, type SqlValue } from './driver.ts';
import { APPLICATION_ID, readIdentity } from './inspect.ts';
import {
  entrySum,
  parseChange,
  parseEntry,
  parseIdentity,
  sumOf,
  type EntryRow,
  type MemoryRows,
} from './memory-rows.ts';
import { MEMORY_MIGRATIONS } from './memory-schema.ts';
import { schemaProblem } from './schema-objects.ts';
import { HEADER_BYTES, readHeader } from './store-header.ts';

/** All rows are held in memory while they are checked. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const LOG = '-wal';

export async function readBackup(absPath: string, workFolder: string): Promise<MemoryRows> {
  const name = basename(absPath);
  checkFile(absPath, name);
  const driver = await loadDriver();
  // A copy: opening a file by SQLite may change it and put others beside it, and another program may change it meanwhile.
  const folder = makePrivateFolder(workFolder, '.checking-');
  try {
    const copy = join(folder, 'backup.db');
    for (const suffix of ['', LOG]) {
      if (suffix !== '' && !pathExists(absPath + suffix)) continue;
      if (!copied(absPath + suffix, copy + suffix)) throw refused(name, 'it cannot be read, or is too large');
    }
    return readCopy(driver.connect(copy, { readOnly: false, timeout: 0 }), name);
  } catch (thrown) {
    // SQLite's own words are not ours, and whatever it stumbles over means the same here.
    throw thrown instanceof AppError ? thrown : refused(name, 'it is damaged', thrown);
  } finally {
    removeFolder(folder);
  }
}

const KINDS = {
  missing: 'there is no such file',
  folder: 'it is a folder',
  link: 'it is a link',
  special: 'it is no regular file',
  unreadable: 'it cannot be read',
} as const;

function checkFile(absPath: string, name: string): void {
  const look = lookAtFile(absPath, HEADER_BYTES);
  if (look.kind !== 'file') throw refused(name, KINDS[look.kind]);
  if (look.sizeBytes > MOST_BYTES) throw refused(name, `it is larger than ${MOST_BYTES / 1024 ** 3} GB`);
  const header = readHeader(look.head);
  if (header === undefined) throw refused(name, 'it is no database');
  if (!header.isOurs) throw refused(name, 'it is a database of another program');
  if (header.sizeBytes !== look.sizeBytes && !pathExists(absPath + LOG))
    throw refused(name, 'it is cut short, or has something behind its end');
}

function copied(from: string, to: string): boolean {
  try {
    return copyPlainFile(from, to, MOST_BYTES);
  } catch {
    return false;
  }
}

function readCopy(connection: Connection, name: string): MemoryRows {
  try {
    connection.enableDefensive?.(true);
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON');
    const { applicationId, version } = readIdentity(connection);
    if (applicationId !== APPLICATION_ID) throw refused(name, 'it is a database of another program');
    if (version > MEMORY_MIGRATIONS.length) throw newer(name);
    const all = (sql: string): readonly Row[] => connection.prepare(sql).all();
    // Before any other statement: a prepared schema could make ours mean something else.
    const wrong = schemaProblem(all, MEMORY_MIGRATIONS.slice(0, version));
    if (version < 1 || wrong !== undefined) throw refused(name, wrong ?? 'it holds no memory');
    if (all('PRAGMA integrity_check').some((row) => row['integrity_check'] !== 'ok'))
      throw refused(name, 'it is damaged');
    return readRows(all, name);
  } finally {
    connection.close();
  }
}

function readRows(all: (sql: string) => readonly Row[], name: string): MemoryRows {
  const entries = all('SELECT * FROM entry ORDER BY created_at, seq').map((row) => toEntryRow(row, name));
  const ids = new Set(entries.map(({ entry }) => entry.id));
  const versions = all('SELECT * FROM entry_version ORDER BY seq').map((row) => toVersion(row, ids, name));
  return {
    entries,
    versions,
    changes: all('SELECT * FROM change ORDER BY seq').map((row) => toChange(row, name)),
    identities: all('SELECT * FROM identity ORDER BY seq').map((row) => toIdentity(row, name)),
  };
}

function toEntryRow(row: Row, name: string): EntryRow {
  const { id, kind, created_at: order, deleted_at: deleted, save_key: key } = row;
  const { doc, value } = documentOf(row, name, 'an entry');
  const wrong = entryProblem(value);
  const who =
    wrong === undefined || /^[a-z]+-[0-9a-f]{12}$/.test(String(value['id']))
      ? `entry ${String(value['id'])}`
      : 'an entry';
  const entry = parseEntry(doc);
  if (wrong !== undefined || entry === undefined)
    throw refused(name, `${who}: ${wrong ?? 'it cannot be read'}`);
  if (entry.id !== id || entry.kind !== kind) throw refused(name, `${who} stands under another id or kind`);
  if (!isDate(order)) throw refused(name, `${who}: its place is no date within the calendar`);
  const deletedAt = deleted === null ? undefined : toDate(deleted, name, who);
  const found = { entry, order, deletedAt, saveKey: typeof key === 'string' ? key : undefined };
  if (row['sum'] !== entrySum(found, doc)) throw refused(name, `${who} does not bear out its check sum`);
  return found;
}

function toVersion(row: Row, ids: ReadonlySet<string>, name: string): MemoryEntry {
  const { doc, value } = documentOf(row, name, 'an earlier version');
  const entry = parseEntry(doc);
  const wrong = entryProblem(value);
  if (wrong !== undefined || entry === undefined)
    throw refused(name, `an earlier version: ${wrong ?? 'it cannot be read'}`);
  if (entry.id !== row['entry_id'] || !ids.has(entry.id))
    throw refused(name, `an earlier version of ${entry.id} belongs to no entry`);
  if (row['sum'] !== sumOf('version', [entry.id, doc]))
    throw refused(name, `an earlier version of ${entry.id} does not bear out its check sum`);
  return entry;
}

function toChange(row: Row, name: string): Change {
  const { doc, value } = documentOf(row, name, 'a line of the log');
  const wrong = changeProblem(value);
  const change = parseChange(doc);
  if (wrong !== undefined || change === undefined)
    throw refused(name, `a line of the log: ${wrong ?? 'it cannot be read'}`);
  if (row['sum'] !== sumOf('change', [doc]))
    throw refused(name, 'a line of the log does not bear out its check sum');
  return change;
}

function toIdentity(row: Row, name: string): SharedIdentity {
  const { doc, value } = documentOf(row, name, 'a project');
  const wrong = identityProblem(value);
  const identity = parseIdentity(doc);
  if (wrong !== undefined || identity === undefined)
    throw refused(name, `a project: ${wrong ?? 'it cannot be read'}`);
  if (identity.identity !== row['identity'] || row['sum'] !== sumOf('identity', [identity.identity, doc]))
    throw refused(name, 'a project does not bear out its check sum');
  return identity;
}

function documentOf(row: Row, name: string, what: string): { readonly doc: string; readonly value: Fields } {
  const { doc } = row;
  const value = typeof doc === 'string' ? parseFields(doc) : undefined;
  if (typeof doc !== 'string' || value === undefined) throw refused(name, `${what} is no JSON object`);
  return { doc, value };
}

function toDate(value: SqlValue | undefined, name: string, who: string): number {
  if (isDate(value)) return value;
  throw refused(name, `${who}: the time of its deletion is no date within the calendar`);
}

function refused(name: string, why: string, cause?: unknown): AppError {
  return new AppError(
    'bad_argument',
    `${name} is no backup that can be restored: ${why}. Nothing was changed.`,
    {
      hint: 'Name a folder that `waymark backup` wrote, as it wrote it.',
      cause,
    },
  );
}

function newer(name: string): AppError {
  return new AppError('storage_newer', `${name} was written by a newer Waymark. Nothing was changed.`, {
    hint: 'Update Waymark, then restore it.',
  });
}
