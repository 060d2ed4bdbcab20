/** Reads the rows of a memory out of its file without SQLite: whatever bears a right check sum is taken. */
import { readBytesIfPresent } from '../../../platform/index.ts';
import type { Change, MemoryEntry, SharedIdentity } from '../../memory-store.ts';
import {
  type EntryRow,
  isDate,
  type MemoryRows,
  parseChange,
  parseIdentity,
  sumOf,
  tableOfSum,
} from '../../memory-rows.ts';
import { mendEntry } from './mend-entry.ts';
import { openPages } from './page-source.ts';
import type { RawValue } from './record.ts';
import { scanRows } from './scan-rows.ts';

export function salvageMemory(absPath: string): MemoryRows {
  const main = readBytesIfPresent(absPath) ?? new Uint8Array();
  const pages = openPages(main, readBytesIfPresent(`${absPath}-wal`));
  const entries = new Map<string, EntryRow>();
  const versions = new Map<number, MemoryEntry>();
  const changes = new Map<number, Change>();
  const identities = new Map<string, SharedIdentity>();
  for (const { rowid, values } of scanRows(pages)) {
    switch (tableOfSum(values.at(-1))) {
      case 'entry':
        keepNewest(entries, toEntryRow(values));
        break;
      case 'version':
        keep(versions, rowid, toVersion(values));
        break;
      case 'change':
        keep(changes, rowid, toChange(values));
        break;
      case 'identity': {
        const found = toIdentity(values);
        if (found !== undefined) identities.set(found.identity, found);
        break;
      }
      case undefined:
    }
  }
  return {
    entries: [...entries.values()].toSorted((a, b) => a.order - b.order),
    versions: inOrder(versions),
    changes: inOrder(changes),
    identities: [...identities.values()],
  };
}

/** Columns as the schema has them: seq, id, kind, created_at, deleted_at, save_key, fingerprint, doc, sum. */
function toEntryRow(values: readonly RawValue[]): EntryRow | undefined {
  const [, , , order, deleted, key, , doc, sum] = values;
  const entry = typeof doc === 'string' ? mendEntry(doc) : undefined;
  if (entry === undefined || typeof doc !== 'string') return undefined;
  const deletedAt = typeof deleted === 'number' ? deleted : undefined;
  const saveKey = typeof key === 'string' ? key : undefined;
  if (sum !== sumOf('entry', [entry.id, doc, deletedAt, saveKey])) return undefined;
  return {
    entry,
    order: isDate(order) ? order : entry.createdAt,
    deletedAt: deletedAt === undefined || isDate(deletedAt) ? deletedAt : 0,
    saveKey,
  };
}

function toVersion([, entryId, doc, sum]: readonly RawValue[]): MemoryEntry | undefined {
  if (typeof entryId !== 'string' || typeof doc !== 'string') return undefined;
  return sum === sumOf('version', [entryId, doc]) ? mendEntry(doc) : undefined;
}

function toChange([, doc, sum]: readonly RawValue[]): Change | undefined {
  return typeof doc === 'string' && sum === sumOf('change', [doc]) ? parseChange(doc) : undefined;
}

function toIdentity([, identity, doc, sum]: readonly RawValue[]): SharedIdentity | undefined {
  if (typeof identity !== 'string' || typeof doc !== 'string') return undefined;
  return sum === sumOf('identity', [identity, doc]) ? parseIdentity(doc) : undefined;
}

function keepNewest(entries: Map<string, EntryRow>, row: EntryRow | undefined): void {
  if (row === undefined) return;
  const known = entries.get(row.entry.id);
  if (known === undefined || known.entry.version <= row.entry.version) entries.set(row.entry.id, row);
}

function keep<Value>(found: Map<number, Value>, rowid: number, value: Value | undefined): void {
  if (value !== undefined) found.set(rowid, value);
}

function inOrder<Value>(found: ReadonlyMap<number, Value>): readonly Value[] {
  return [...found].toSorted(([a], [b]) => a - b).map(([, value]) => value);
}
