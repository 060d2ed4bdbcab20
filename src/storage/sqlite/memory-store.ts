/** A repository's memory in a SQLite file. Damage that shows only in use is healed on the spot, and the call repeated. */
import type { Clock } from '../../core/index.ts';
import {
  ENTRY_KINDS,
  type Admitted,
  type ChangeAction,
  type EntryKeys,
  type KeyMaker,
  type RecordGate,
  type MemoryEntry,
  type MemoryStore,
  STEP_WAIT_MS,
  type SavedEntry,
  type SaveOptions,
  type TakenIn,
} from '../memory-store.ts';
import { admitRows, keptIdentity, keptKey, keptPlace, plainKey } from '../admit-rows.ts';
import { planBin } from '../plan-bin.ts';
import { readBin, takeOutOfBin, writeBinAge } from './bin-rows.ts';
import { numberColumn, textColumn, hasErrorCode } from './driver.ts';
import {
  binRows,
  countEntries,
  countWords,
  deleteEntry,
  findByKey,
  findMatch,
  findRow,
  fingerprintSeqs,
  type FoundRow,
  insertChange,
  insertEntry,
  insertIdentity,
  insertRows,
  insertVersion,
  listRows,
  nextOrder,
  parseStored,
  replaceRows,
  rowsAt,
  updateEntry,
  vectorRows,
  wordSeqs,
} from './memory-queries.ts';
import { parseChange, parseIdentity } from '../memory-rows.ts';
import { readBranches } from './branch-rows.ts';
import { readAgreed, writeAgreed } from './linked-rows.ts';
import { salvageMemory } from './repair/memory-salvage.ts';
import type { Lease, StoreLock } from './open-lock.ts';
import { readBackup } from './repair/read-backup.ts';
import { pollLock, type SqliteStore } from './sqlite-store.ts';
import type { Immediate, ReadTx, Transactions, WriteTx } from './transactions.ts';

export interface SqliteMemory extends MemoryStore {
  /** Adds what is not here yet of another memory's file, as it was there; tells how many entries. */
  absorb(absPath: string): Promise<number>;
}

/** A statement that the file refuses has met a file that is not as we made it, which is damage too. */
export function isFileTrouble(thrown: unknown): boolean {
  return hasErrorCode(thrown, 'storage_damaged') || hasErrorCode(thrown, 'internal');
}

export interface Healing {
  run<Result>(work: (store: SqliteStore) => Result | Promise<Result>): Promise<Result>;
  heal(): Promise<void>;
  close(): void;
}

export function createHealing(first: SqliteStore, reopen: () => Promise<SqliteStore>): Healing {
  let store = first;
  let isClosed = false;
  let healing: Promise<void> | undefined;
  const heal = (): Promise<void> => {
    healing ??= reopenStore().finally(() => (healing = undefined));
    return healing;
  };
  const reopenStore = async (): Promise<void> => {
    store.close();
    store = await reopen();
  };
  return {
    async run(work) {
      const used = store;
      try {
        return await work(used);
      } catch (thrown) {
        if (isClosed || !isFileTrouble(thrown)) throw thrown;
        // Another call may have healed it, while this one waited for its turn to write.
        if (used === store) await heal();
        return work(store);
      }
    },
    heal,
    close: () => {
      isClosed = true;
      store.close();
    },
  };
}

export interface MemoryStoreParts {
  readonly healing: Healing;
  /** The lock of what keeps files in step. */
  readonly filesLock: Pick<StoreLock, 'hold'>;
  readonly isSound: (transactions: Pick<Transactions, 'read'>) => boolean;
  readonly keyMaker: KeyMaker;
  readonly gate: RecordGate;
  readonly clock: Clock;
  /** Where a backup is put to be read. */
  readonly workFolder: string;
}

export function createMemoryStore({
  healing,
  filesLock,
  isSound,
  keyMaker,
  gate,
  clock,
  workFolder,
}: MemoryStoreParts): SqliteMemory {
  const read = <Result>(work: (tx: ReadTx) => Immediate<Result>): Promise<Result> =>
    healing.run((store) => store.read<Result>(work));
  const write = <Result>(work: (tx: WriteTx) => Immediate<Result>, signal?: AbortSignal): Promise<Result> =>
    healing.run((store) => store.write<Result>(work, signal));
  const note = (tx: WriteTx, action: ChangeAction, entry: MemoryEntry, by: string): void =>
    insertChange(tx, {
      at: clock.now(),
      action,
      entryId: entry.id,
      kind: entry.kind,
      name: entry.name,
      by: gate.clean(by),
    });

  const admit = (given: MemoryEntry): KeyedEntry => {
    const admitted = gate.admit(given);
    return { ...admitted, keys: keyMaker.keysOf(admitted.entry) };
  };

  const purgeRows = (tx: WriteTx, gone: readonly FoundRow[], by: string): number => {
    for (const { seq, entry } of gone) {
      deleteEntry(tx, seq, entry.id);
      // The log says that there was something, not what.
      note(tx, 'purge', { ...entry, name: '' }, by);
    }
    // Only this takes the words of deleted entries out of the file.
    if (gone.length > 0) tx.run(`INSERT INTO entry_words (entry_words) VALUES ('optimize')`);
    return gone.length;
  };

  const saveEntry = (
    tx: WriteTx,
    { entry, redacted, keys }: KeyedEntry,
    { saveKey: givenKey, replaces, matches }: SaveOptions,
  ): SavedEntry => {
    const saveKey = keptKey(givenKey);
    const known = findByKey(tx, saveKey) ?? findByKey(tx, plainKey(givenKey));
    if (known !== undefined) return { stored: known, repeated: true, revised: false, redacted };
    const old = replaces === undefined ? undefined : findMatch(tx, entry, matches);
    const deletedAt = undefined;
    if (old !== undefined && replaces !== undefined) {
      const put = replaces(old.entry, entry);
      if (put === old.entry) return { stored: old, repeated: true, revised: false, redacted };
      const next = { ...put, version: old.entry.version + 1 };
      insertVersion(tx, old.entry);
      updateEntry(tx, old.seq, { ...old, entry: next, saveKey }, keys);
      note(tx, 'edit', next, writerOf(next));
      return { stored: { entry: next, seq: old.seq, deletedAt }, repeated: false, revised: true, redacted };
    }
    const order = nextOrder(tx, entry.createdAt);
    const seq = insertEntry(tx, { entry, order, deletedAt, saveKey }, keys);
    note(tx, entry.provenance.origin === 'imported' ? 'import' : 'save', entry, writerOf(entry));
    return { stored: { entry, seq, deletedAt }, repeated: false, revised: false, redacted };
  };
  /** True if it was not there yet. What comes from elsewhere keeps its time as its place: it is not the latest work. */
  const takeIn = (
    tx: WriteTx,
    admitted: KeyedEntry,
    { history, saveAs }: Pick<TakenIn, 'history' | 'saveAs'>,
  ): boolean => {
    if (saveAs !== undefined) return !saveEntry(tx, admitted, saveAs).repeated;
    const { entry, keys } = admitted;
    if (findRow(tx, entry.id) !== undefined) return false;
    const order = entry.createdAt;
    insertEntry(tx, { entry, order, deletedAt: undefined, saveKey: undefined }, keys);
    for (const version of history) insertVersion(tx, version);
    note(tx, 'import', entry, writerOf(entry));
    return true;
  };

  return {
    save: (entry, options = {}) => {
      // Before the lock is taken: others wait for it.
      const admitted = admit(entry);
      return write((tx) => saveEntry(tx, admitted, options), options.signal);
    },
    revise: (id, change, by) =>
      write((tx) => {
        const row = findRow(tx, id);
        if (row === undefined || row.deletedAt !== undefined) return undefined;
        const changed = change(row.entry);
        if (changed === row.entry) return row.entry;
        const { entry, keys } = admit({
          ...changed,
          id,
          kind: row.entry.kind,
          version: row.entry.version + 1,
        });
        insertVersion(tx, row.entry);
        updateEntry(tx, row.seq, { ...row, entry }, keys);
        note(tx, 'edit', entry, by ?? writerOf(entry));
        return entry;
      }),
    get: (id) => read((tx) => findRow(tx, id)),
    list: (filter) => read((tx) => listRows(tx, filter)),
    branches: () => read(readBranches),
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
          const deletedAt = clock.now();
          updateEntry(tx, row.seq, { ...row, deletedAt }, keyMaker.keysOf(row.entry));
          writeBinAge(tx, { seq: row.seq, seenAt: deletedAt, ageMs: 0 });
          note(tx, 'delete', row.entry, by);
          return true;
        }),
      ),
    undo: (id, by) =>
      write((tx) => {
        const row = findRow(tx, id);
        if (row?.deletedAt === undefined) return false;
        updateEntry(tx, row.seq, { ...row, deletedAt: undefined }, keyMaker.keysOf(row.entry));
        takeOutOfBin(tx, row.seq);
        note(tx, 'undo', row.entry, by);
        return true;
      }),
    purge: (which, by) => write((tx) => purgeRows(tx, binRows(tx, which), by)),
    expireBin: async (keepMs, by) => {
      const look = (tx: ReadTx) => planBin(readBin(tx), clock.now(), keepMs);
      // Most bins are empty or were looked at today: then nothing is written.
      const { changed, expired } = await read(look);
      if (changed.length + expired.length === 0) return 0;
      return write((tx) => {
        const plan = look(tx);
        for (const age of plan.changed) writeBinAge(tx, age);
        return purgeRows(tx, binRows(tx, { seqs: plan.expired }), by);
      });
    },
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
    addIdentity: async (given) => {
      const shared = keptIdentity(given, gate);
      const isKnown = (tx: ReadTx): boolean => {
        const row = tx.get('SELECT doc FROM identity WHERE identity = ?', shared.identity);
        return row !== undefined && parseIdentity(textColumn(row, 'doc'))?.name === shared.name;
      };
      if (!(await read(isKnown))) await write((tx) => insertIdentity(tx, shared));
    },
    removeIdentity: (identity) =>
      write((tx) => tx.run('DELETE FROM identity WHERE identity = ?', keptPlace(identity, gate)).changes > 0),
    takeIn: (items) => {
      const admitted = items.map(({ entry, history, saveAs }) => ({
        entry: admit(entry),
        rest: { history: history.map((version) => gate.admit(version).entry), saveAs },
      }));
      return write((tx) => admitted.map(({ entry, rest }) => (takeIn(tx, entry, rest) ? 'added' : 'known')));
    },
    agreed: () => read(readAgreed),
    agree: (id, digest) => write((tx) => writeAgreed(tx, id, digest)),
    inStep: async (work) => {
      const lease = await leaseWithin(filesLock, STEP_WAIT_MS);
      if (lease === undefined) return undefined;
      try {
        return await work();
      } finally {
        lease.release();
      }
    },
    backupTo: (absPath) => healing.run((store) => store.copyTo(absPath)),
    restoreFrom: async (absPath) => {
      const rows = admitRows(await readBackup(absPath, workFolder), gate);
      return write((tx) => replaceRows(tx, rows, keyMaker));
    },
    absorb: async (absPath) => {
      const rows = admitRows(salvageMemory(absPath), gate);
      return write((tx) => insertRows(tx, rows, keyMaker));
    },
    verify: () => healing.run(async (store) => (await store.verify()).kind === 'sound' && isSound(store)),
    heal: () => healing.heal(),
    close: async () => healing.close(),
  };
}

async function leaseWithin(lock: Pick<StoreLock, 'hold'>, timeoutMs: number): Promise<Lease | undefined> {
  try {
    return await pollLock(() => lock.hold(), { timeoutMs, everyMs: () => 5 });
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_busy')) return undefined;
    throw thrown;
  }
}

interface KeyedEntry extends Admitted {
  readonly keys: EntryKeys;
}

function writerOf({ provenance }: MemoryEntry): string {
  return `${provenance.origin}: ${provenance.client}`;
}
