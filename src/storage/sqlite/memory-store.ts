/** A repository's memory in a SQLite file. Damage that shows only in use is healed on the spot, and the call repeated. */
import { AppError, type Clock, type Logger } from '../../core/index.ts';
import { sizeOfFile } from '../../platform/index.ts';
import {
  ENTRY_KINDS,
  type ChangeAction,
  type KeyMaker,
  type MemoryEntry,
  type MemoryStore,
} from '../memory-store.ts';
import { numberColumn, textColumn } from './columns.ts';
import {
  binRows,
  countEntries,
  countWords,
  findByKey,
  findNamesake,
  findRow,
  fingerprintSeqs,
  listRows,
  parseStored,
  rowsAt,
  toRow,
  vectorRows,
  wordSeqs,
} from './memory-reader.ts';
import { parseChange, parseIdentity } from './memory-rows.ts';
import { salvageMemory } from './memory-salvage.ts';
import { MEMORY_MIGRATIONS } from './memory-schema.ts';
import {
  deleteEntry,
  deleteEverything,
  insertChange,
  insertEntry,
  insertIdentity,
  insertRows,
  insertVersion,
  rewriteKeys,
  updateEntry,
} from './memory-writer.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { hasErrorCode } from './storage-error.ts';
import type { Immediate, ReadTx, Transactions, WriteTx } from './transactions.ts';

export interface OpenMemoryStoreOptions {
  readonly absPath: string;
  readonly keyMaker: KeyMaker;
  /** Where the file is copied to before its schema changes. */
  readonly backupDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Up to this size everything is looked at whenever the file is opened; beyond, when something is wrong. */
const CHECKED_BYTES = 16 * 1024 * 1024;

export async function openMemoryStore(options: OpenMemoryStoreOptions): Promise<MemoryStore> {
  const open = async (check: 'quick' | 'full'): Promise<SqliteStore> => {
    const store = await openDatabase({
      absPath: options.absPath,
      migrations: MEMORY_MIGRATIONS,
      durability: 'full',
      onDamage: (damagedAbsPath, fresh) => refill(damagedAbsPath, fresh, options),
      check,
      isSound: everyEntryIsSound,
      backupDir: options.backupDir,
      clock: options.clock,
      logger: options.logger,
    });
    refreshKeys(store, options.keyMaker);
    return store;
  };
  const first = await open(sizeOfFile(options.absPath) <= CHECKED_BYTES ? 'full' : 'quick');
  return createMemoryStore(
    createHealing(first, () => open('full')),
    options,
  );
}

interface Healing {
  run<Result>(work: (store: SqliteStore) => Result): Promise<Result>;
  close(): void;
}

function createHealing(first: SqliteStore, reopen: () => Promise<SqliteStore>): Healing {
  let store = first;
  return {
    async run(work) {
      try {
        return work(store);
      } catch (thrown) {
        if (!hasErrorCode(thrown, 'storage_damaged')) throw thrown;
        store.close();
        store = await reopen();
        return work(store);
      }
    },
    close: () => store.close(),
  };
}

function refill(
  damagedAbsPath: string,
  fresh: Transactions,
  { keyMaker, clock }: OpenMemoryStoreOptions,
): void {
  const rows = salvageMemory(damagedAbsPath);
  fresh.write((tx) => {
    insertRows(tx, rows, keyMaker);
    for (const identity of rows.identities) insertIdentity(tx, identity);
    const name = `${rows.entries.length} entries`;
    insertChange(tx, { at: clock.now(), action: 'salvage', entryId: '', kind: '', name, by: 'waymark' });
    tx.run('UPDATE key_state SET version = ?', keyMaker.version);
  });
}

function everyEntryIsSound(transactions: Transactions): boolean {
  try {
    transactions.read((tx) => tx.all('SELECT seq, deleted_at, save_key, doc, sum FROM entry').forEach(toRow));
    return true;
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_damaged')) return false;
    throw thrown;
  }
}

function refreshKeys(store: SqliteStore, keyMaker: KeyMaker): void {
  const isCurrent = (tx: ReadTx): boolean =>
    tx.get('SELECT version FROM key_state')?.['version'] === keyMaker.version;
  if (store.read(isCurrent)) return;
  store.write((tx) => {
    if (!isCurrent(tx)) rewriteKeys(tx, keyMaker, parseStored);
  });
}

function createMemoryStore(healing: Healing, { keyMaker, clock }: OpenMemoryStoreOptions): MemoryStore {
  const read = <Result>(work: (tx: ReadTx) => Immediate<Result>): Promise<Result> =>
    healing.run((store) => store.read<Result>(work));
  const write = <Result>(work: (tx: WriteTx) => Immediate<Result>): Promise<Result> =>
    healing.run((store) => store.write<Result>(work));
  const note = (tx: WriteTx, action: ChangeAction, entry: MemoryEntry, by: string): void =>
    insertChange(tx, { at: clock.now(), action, entryId: entry.id, kind: entry.kind, name: entry.name, by });

  return {
    save: (entry, { saveKey, replaces } = {}) => {
      // Before the lock is taken: others wait for it.
      const keys = keyMaker.keysOf(entry);
      return write((tx) => {
        const known = saveKey === undefined ? undefined : findByKey(tx, saveKey);
        if (known !== undefined) return { stored: known, repeated: true, revised: false };
        const old = replaces === undefined ? undefined : findNamesake(tx, entry);
        const deletedAt = undefined;
        if (old !== undefined && replaces !== undefined) {
          const next = { ...replaces(old.entry), version: old.entry.version + 1 };
          insertVersion(tx, old.entry);
          updateEntry(tx, old.seq, { entry: next, deletedAt, saveKey }, keys);
          note(tx, 'edit', next, writerOf(next));
          return { stored: { entry: next, seq: old.seq, deletedAt }, repeated: false, revised: true };
        }
        const seq = insertEntry(tx, { entry, deletedAt, saveKey }, keys);
        note(tx, entry.provenance.origin === 'imported' ? 'import' : 'save', entry, writerOf(entry));
        return { stored: { entry, seq, deletedAt }, repeated: false, revised: false };
      });
    },
    revise: (id, change, by) =>
      write((tx) => {
        const row = findRow(tx, id);
        if (row === undefined || row.deletedAt !== undefined) return undefined;
        const entry = { ...change(row.entry), id, kind: row.entry.kind, version: row.entry.version + 1 };
        insertVersion(tx, row.entry);
        updateEntry(tx, row.seq, { ...row, entry }, keyMaker.keysOf(entry));
        note(tx, 'edit', entry, by ?? writerOf(entry));
        return entry;
      }),
    get: (id) => read((tx) => findRow(tx, id)),
    list: (filter) => read((tx) => listRows(tx, filter)),
    sizes: () =>
      read((tx) => {
        const rows = tx.all(
          'SELECT kind, count(*) AS count FROM entry WHERE deleted_at IS NULL GROUP BY kind',
        );
        const counts = new Map(rows.map((row) => [textColumn(row, 'kind'), numberColumn(row, 'count')]));
        return ENTRY_KINDS.map((kind) => ({ kind, count: counts.get(kind) ?? 0 }));
      }),
    remove: (ids, by) =>
      write((tx) =>
        ids.filter((id) => {
          const row = findRow(tx, id);
          if (row === undefined || row.deletedAt !== undefined) return false;
          updateEntry(tx, row.seq, { ...row, deletedAt: clock.now() }, keyMaker.keysOf(row.entry));
          note(tx, 'delete', row.entry, by);
          return true;
        }),
      ),
    undo: (id, by) =>
      write((tx) => {
        const row = findRow(tx, id);
        if (row?.deletedAt === undefined) return false;
        updateEntry(tx, row.seq, { ...row, deletedAt: undefined }, keyMaker.keysOf(row.entry));
        note(tx, 'undo', row.entry, by);
        return true;
      }),
    purge: (which, by) =>
      write((tx) => {
        const gone = binRows(tx, which);
        for (const { seq, entry } of gone) {
          deleteEntry(tx, seq, entry.id);
          // The log says that there was something, not what.
          note(tx, 'purge', { ...entry, name: '' }, by);
        }
        // Only this takes the words of deleted entries out of the file.
        if (gone.length > 0) tx.run(`INSERT INTO entry_words (entry_words) VALUES ('optimize')`);
        return gone.length;
      }),
    versions: (id) =>
      read((tx) =>
        tx
          .all('SELECT doc FROM entry_version WHERE entry_id = ? ORDER BY seq DESC', id)
          .map((row) => parseStored(textColumn(row, 'doc'))),
      ),
    dropVersions: (id, which) =>
      write((tx) => {
        const seqs = tx
          .all('SELECT seq, doc FROM entry_version WHERE entry_id = ?', id)
          .filter((row) => which(parseStored(textColumn(row, 'doc'))))
          .map((row) => numberColumn(row, 'seq'));
        for (const seq of seqs) tx.run('DELETE FROM entry_version WHERE seq = ?', seq);
        return seqs.length;
      }),
    log: (limit) =>
      read((tx) =>
        tx
          .all('SELECT doc FROM change ORDER BY seq DESC LIMIT ?', limit)
          .flatMap((row) => parseChange(textColumn(row, 'doc')) ?? []),
      ),
    byFingerprint: (fingerprint, limit) => read((tx) => fingerprintSeqs(tx, fingerprint, limit)),
    frequencies: (words) => read((tx) => ({ total: countEntries(tx), counts: countWords(tx, words) })),
    byWords: (words, filter) => read((tx) => wordSeqs(tx, words, filter)),
    bySeqs: (seqs, filter = { limit: seqs.length }) => read((tx) => rowsAt(tx, seqs, filter)),
    vectorsAfter: (mark) => read((tx) => vectorRows(tx, mark)),
    identities: () =>
      read((tx) =>
        tx
          .all('SELECT doc FROM identity ORDER BY seq')
          .flatMap((row) => parseIdentity(textColumn(row, 'doc')) ?? []),
      ),
    addIdentity: (identity) => write((tx) => insertIdentity(tx, identity)),
    removeIdentity: (identity) =>
      write((tx) => tx.run('DELETE FROM identity WHERE identity = ?', identity).changes > 0),
    adopt: (entry, history) => {
      const keys = keyMaker.keysOf(entry);
      return write((tx) => {
        if (findRow(tx, entry.id) !== undefined) return false;
        insertEntry(tx, { entry, deletedAt: undefined, saveKey: undefined }, keys);
        for (const version of history) insertVersion(tx, version);
        note(tx, 'import', entry, writerOf(entry));
        return true;
      });
    },
    backupTo: (absPath) => healing.run((store) => store.copyTo(absPath)),
    restoreFrom: async (absPath) => {
      const rows = salvageMemory(absPath);
      if (rows.entries.length === 0 && rows.changes.length === 0) throw notABackup();
      return write((tx) => {
        deleteEverything(tx);
        for (const identity of rows.identities) insertIdentity(tx, identity);
        return insertRows(tx, rows, keyMaker);
      });
    },
    absorb: async (absPath) => {
      const rows = salvageMemory(absPath);
      return write((tx) => insertRows(tx, rows, keyMaker));
    },
    verify: () => healing.run((store) => store.verify().kind === 'sound' && everyEntryIsSound(store)),
    close: async () => healing.close(),
  };
}

function writerOf({ provenance }: MemoryEntry): string {
  return `${provenance.origin}: ${provenance.client}`;
}

function notABackup(): AppError {
  return new AppError('bad_argument', 'There is no memory in that file.', {
    hint: 'Name a file that `waymark backup` wrote.',
  });
}
