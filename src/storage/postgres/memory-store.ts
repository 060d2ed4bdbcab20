/** A repository's memory in PostgreSQL: the same entries for all who work on it. */
import { AppError, type Clock, type MemoryBudget } from '../../core/index.ts';
import {
  STEP_WAIT_MS,
  type Admitted,
  type Change,
  type ChangeAction,
  type EntryKeys,
  type KeyMaker,
  type MemoryEntry,
  type MemoryStore,
  type RecordGate,
  type SavedEntry,
  type SaveOptions,
  type TakenIn,
} from '../memory-store.ts';
import { admitRows, keptIdentity, keptKey, keptPlace } from '../admit-rows.ts';
import { type MemoryRows, parseEntry } from '../memory-rows.ts';
import { planBin } from '../plan-bin.ts';
import type { Queries } from './database.ts';
import { numberColumn, textColumn } from './driver.ts';
import { readAgreed, writeAgreed } from './linked-rows.ts';
import { rewriteKeys, type Space } from './memory-keys.ts';
import {
  binRows,
  findByKey,
  findMatch,
  findRow,
  fingerprintSeqs,
  type FoundRow,
  listRows,
  readBin,
  readEverything,
  readIdentities,
  readLog,
  readBranches,
  readSizes,
  readVersions,
  rowsAt,
  vectorRows,
} from './memory-queries.ts';
import {
  addRows,
  deleteEntry,
  insertChanges,
  insertEntries,
  insertIdentity,
  insertVersions,
  lockSpace,
  nextOrder,
  replaceRows,
  saveAtOnce,
  takeOutOfBin,
  updateEntry,
  writeBinAge,
} from './memory-writes.ts';
import type { Locks } from './open-lock.ts';
import type { Tenancy } from './tenancy.ts';
import { createWordIndex } from './word-index.ts';

export interface MemoryStoreOptions {
  readonly tenancy: () => Promise<Tenancy>;
  readonly name: string;
  readonly keyMaker: KeyMaker;
  readonly gate: RecordGate;
  /** Backups are files of the embedded engine, which both engines write and read. */
  readonly backups: BackupFiles;
  readonly words: MemoryBudget;
  readonly locks: Pick<Locks, 'step'>;
  readonly clock: Clock;
}

export interface BackupFiles {
  write(absPath: string, rows: MemoryRows): Promise<void>;
  /** Throws what is wrong with the first row that is wrong. */
  read(absPath: string): Promise<MemoryRows>;
}

export interface PostgresMemory extends MemoryStore {
  rows(): Promise<MemoryRows>;
  /** Adds what is not here yet, as it was there; tells how many entries. */
  add(rows: MemoryRows): Promise<number>;
}

interface KeyedEntry extends Admitted {
  readonly keys: EntryKeys;
}

export async function openMemoryStore(options: MemoryStoreOptions): Promise<PostgresMemory> {
  const { keyMaker } = options;
  const { database, tenant } = await options.tenancy();
  await database.all(
    'INSERT INTO space (tenant_id, name, keys_by) VALUES ($1, $2, $3) ON CONFLICT (tenant_id, name) DO NOTHING',
    tenant,
    options.name,
    keyMaker.version,
  );
  const [row] = await database.all(
    'SELECT id, keys_by FROM space WHERE tenant_id = $1 AND name = $2',
    tenant,
    options.name,
  );
  if (row === undefined) throw new AppError('internal', 'A memory could not be added to the database.');
  const space = { tenant, space: numberColumn(row, 'id') };
  if (textColumn(row, 'keys_by') !== keyMaker.version)
    await database.write(async (queries) => {
      await lockSpace(queries, space);
      const keysOf = (doc: string): EntryKeys => keyMaker.keysOf(parsed(doc));
      await rewriteKeys(queries, space, { keysOf, version: keyMaker.version });
    });
  return createMemoryStore({ database, tenant }, space, options);
}

function parsed(doc: string): MemoryEntry {
  const entry = parseEntry(doc);
  if (entry !== undefined) return entry;
  throw new AppError('storage_damaged', 'An entry of the memory is damaged.', {
    hint: 'Restore the memory from a backup.',
  });
}

function createMemoryStore(
  { database }: Tenancy,
  space: Space,
  { keyMaker, gate, backups, words: budget, locks, clock }: MemoryStoreOptions,
): PostgresMemory {
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw new AppError('internal', 'The memory was used after it had been closed.');
  };
  const reader: Pick<Queries, 'all'> = {
    async all(sql, ...values) {
      checkOpen();
      return database.all(sql, ...values);
    },
  };
  const wordIndex = createWordIndex({ reader, space, budget, clock });
  /** `last` is the last place that was given. */
  const write = async <T>(work: (queries: Queries, last: number) => Promise<T>): Promise<T> => {
    checkOpen();
    const written = database.write(async (queries) => work(queries, await lockSpace(queries, space)));
    return written.finally(wordIndex.expire);
  };
  const changeOf = (action: ChangeAction, { id, kind, name }: MemoryEntry, by: string): Change => ({
    at: clock.now(),
    action,
    entryId: id,
    kind,
    name,
    by: gate.clean(by),
  });
  const admit = (given: MemoryEntry): KeyedEntry => {
    const admitted = gate.admit(given);
    return { ...admitted, keys: keyMaker.keysOf(admitted.entry) };
  };
  const note = (queries: Queries, change: Change): Promise<void> => insertChanges(queries, space, [change]);
  const actionOf = ({ provenance }: MemoryEntry): ChangeAction =>
    provenance.origin === 'imported' ? 'import' : 'save';

  async function saveOnce(
    { entry, redacted, keys }: KeyedEntry,
    saveKey: string | undefined,
  ): Promise<SavedEntry> {
    const change = changeOf(actionOf(entry), entry, writerOf(entry));
    const seq = await saveAtOnce(reader, space, { entry, keys, saveKey, change }).finally(wordIndex.expire);
    const base = { revised: false, redacted };
    if (seq !== undefined) return { stored: { entry, seq, deletedAt: undefined }, repeated: false, ...base };
    const known = (await findByKey(reader, space, saveKey)) ?? (await findRow(reader, space, entry.id));
    if (known === undefined)
      throw new AppError('storage_busy', 'The entry was changed meanwhile.', { hint: 'Try again.' });
    // Its own id: the answer to the first attempt was lost.
    return { stored: known, repeated: known.entry.id !== entry.id, ...base };
  }

  async function saveEntry(
    queries: Queries,
    { entry, redacted, keys }: KeyedEntry,
    { saveKey: givenKey, replaces, matches, last }: SaveOptions & { readonly last: number },
  ): Promise<SavedEntry> {
    const saveKey = keptKey(givenKey);
    const known = await findByKey(queries, space, saveKey);
    if (known !== undefined) return { stored: known, repeated: true, revised: false, redacted };
    const old = replaces === undefined ? undefined : await findMatch(queries, space, { entry, matches });
    const deletedAt = undefined;
    if (old !== undefined && replaces !== undefined) {
      const put = replaces(old.entry, entry);
      if (put === old.entry) return { stored: toStored(old), repeated: true, revised: false, redacted };
      const next = { ...put, version: old.entry.version + 1 };
      await insertVersions(queries, space, [old.entry]);
      await updateEntry(queries, space, { old, row: { ...old, entry: next, saveKey }, keys });
      await note(queries, changeOf('edit', next, writerOf(next)));
      return { stored: { entry: next, seq: old.seq, deletedAt }, repeated: false, revised: true, redacted };
    }
    const order = await nextOrder(queries, space, entry.createdAt);
    const row = { entry, order, deletedAt, saveKey };
    const seq = await insertEntries(queries, space, { rows: [{ row, keys }], last });
    await note(queries, changeOf(actionOf(entry), entry, writerOf(entry)));
    return { stored: { entry, seq, deletedAt }, repeated: false, revised: false, redacted };
  }

  /** True if it was not there yet. What comes from elsewhere keeps its time as its place: it is not the latest work. */
  async function takeIn(
    queries: Queries,
    admitted: KeyedEntry,
    { history, saveAs, last }: Pick<TakenIn, 'history' | 'saveAs'> & { readonly last: number },
  ): Promise<boolean> {
    if (saveAs !== undefined) return !(await saveEntry(queries, admitted, { ...saveAs, last })).repeated;
    const { entry, keys } = admitted;
    if ((await findRow(queries, space, entry.id)) !== undefined) return false;
    const row = { entry, order: entry.createdAt, deletedAt: undefined, saveKey: undefined };
    await insertEntries(queries, space, { rows: [{ row, keys }], last });
    await insertVersions(queries, space, history);
    await note(queries, changeOf('import', entry, writerOf(entry)));
    return true;
  }

  async function purgeRows(queries: Queries, gone: readonly FoundRow[], by: string): Promise<number> {
    for (const row of gone) {
      await deleteEntry(queries, space, row);
      // The log says that there was something, not what.
      await note(queries, changeOf('purge', { ...row.entry, name: '' }, by));
    }
    return gone.length;
  }

  return {
    save: async (given, options = {}) => {
      checkOpen();
      options.signal?.throwIfAborted();
      const admitted = admit(given);
      if (options.replaces === undefined) return saveOnce(admitted, keptKey(options.saveKey));
      return write((queries, last) => saveEntry(queries, admitted, { ...options, last }));
    },
    revise: (id, change, by) =>
      write(async (queries) => {
        const old = await findRow(queries, space, id);
        if (old === undefined || old.deletedAt !== undefined) return undefined;
        const changed = change(old.entry);
        if (changed === old.entry) return old.entry;
        const { entry, keys } = admit({
          ...changed,
          id,
          kind: old.entry.kind,
          version: old.entry.version + 1,
        });
        await insertVersions(queries, space, [old.entry]);
        await updateEntry(queries, space, { old, row: { ...old, entry }, keys });
        await note(queries, changeOf('edit', entry, by ?? writerOf(entry)));
        return entry;
      }),
    get: (id) => findRow(reader, space, id).then((row) => row && toStored(row)),
    list: (filter) => listRows(reader, space, filter),
    sizes: () => readSizes(reader, space),
    branches: () => readBranches(reader, space),
    remove: (ids, by) =>
      write(async (queries) => {
        const removed: string[] = [];
        for (const id of ids) {
          const old = await findRow(queries, space, id);
          if (old === undefined || old.deletedAt !== undefined) continue;
          const deletedAt = clock.now();
          await updateEntry(queries, space, {
            old,
            row: { ...old, deletedAt },
            keys: keyMaker.keysOf(old.entry),
          });
          await writeBinAge(queries, space, { seq: old.seq, seenAt: deletedAt, ageMs: 0 });
          await note(queries, changeOf('delete', old.entry, by));
          removed.push(id);
        }
        return removed;
      }),
    undo: (id, by) =>
      write(async (queries) => {
        const old = await findRow(queries, space, id);
        if (old?.deletedAt === undefined) return false;
        const row = { ...old, deletedAt: undefined };
        await updateEntry(queries, space, { old, row, keys: keyMaker.keysOf(old.entry) });
        await takeOutOfBin(queries, space, old.seq);
        await note(queries, changeOf('undo', old.entry, by));
        return true;
      }),
    purge: (which, by) =>
      write(async (queries) => purgeRows(queries, await binRows(queries, space, which), by)),
    expireBin: async (keepMs, by) => {
      const look = async (from: Pick<Queries, 'all'>) =>
        planBin(await readBin(from, space), clock.now(), keepMs);
      // Most bins are empty or were looked at today: then nothing is written.
      const { changed, expired } = await look(reader);
      if (changed.length + expired.length === 0) return 0;
      return write(async (queries) => {
        const plan = await look(queries);
        for (const age of plan.changed) await writeBinAge(queries, space, age);
        return purgeRows(queries, await binRows(queries, space, { seqs: plan.expired }), by);
      });
    },
    versions: async (id) => (await readVersions(reader, space, id)).map(({ entry }) => entry),
    dropVersions: (id, which) =>
      write(async (queries) => {
        const gone = (await readVersions(queries, space, id)).filter(({ entry }) => which(entry));
        return queries.run(
          `DELETE FROM entry_version
           WHERE tenant_id = $1 AND space_id = $2 AND entry_id = $3 AND id = ANY ($4::bigint[])`,
          space.tenant,
          space.space,
          id,
          gone.map((version) => version.id),
        );
      }),
    log: (limit) => readLog(reader, space, limit),
    byFingerprint: (fingerprint, limit) => fingerprintSeqs(reader, space, { fingerprint, limit }),
    frequencies: wordIndex.frequencies,
    byWords: wordIndex.byWords,
    bySeqs: (seqs, filter = { limit: seqs.length }) => rowsAt(reader, space, { ...filter, seqs }),
    vectorsAfter: (mark) => vectorRows(reader, space, mark),
    identities: () => readIdentities(reader, space),
    addIdentity: async (given) => {
      const shared = keptIdentity(given, gate);
      const known = await readIdentities(reader, space);
      const isKnown = known.some(
        ({ identity, name }) => identity === shared.identity && name === shared.name,
      );
      if (!isKnown) await write((queries) => insertIdentity(queries, space, shared));
    },
    removeIdentity: (identity) =>
      write(async (queries) => {
        const count = await queries.run(
          'DELETE FROM identity WHERE tenant_id = $1 AND space_id = $2 AND identity = $3',
          space.tenant,
          space.space,
          keptPlace(identity, gate),
        );
        return count > 0;
      }),
    takeIn: (items) => {
      const admitted = items.map(({ entry, history, saveAs }) => ({
        entry: admit(entry),
        rest: { history: history.map((version) => gate.admit(version).entry), saveAs },
      }));
      return write(async (queries, before) => {
        const outcomes: ('added' | 'known')[] = [];
        let last = before;
        for (const { entry, rest } of admitted) {
          const isNew = await takeIn(queries, entry, { ...rest, last });
          outcomes.push(isNew ? 'added' : 'known');
          last = await lockSpace(queries, space);
        }
        return outcomes;
      });
    },
    agreed: () => readAgreed(reader, space),
    agree: (id, digest) => write((queries) => writeAgreed(queries, space, { id, digest })),
    async inStep(work) {
      checkOpen();
      const turn = await locks.step(space, STEP_WAIT_MS);
      try {
        return turn && (await work());
      } finally {
        await turn?.release();
      }
    },
    backupTo: async (absPath) => {
      checkOpen();
      await backups.write(absPath, await database.snapshot((queries) => readEverything(queries, space)));
    },
    restoreFrom: async (absPath) => {
      const rows = admitRows(await backups.read(absPath), gate);
      return write((queries, last) => replaceRows(queries, space, { rows, keyMaker, last }));
    },
    rows: () => database.snapshot((queries) => readEverything(queries, space)),
    add: (rows) =>
      write((queries, last) => addRows(queries, space, { rows: admitRows(rows, gate), keyMaker, last })),
    async verify() {
      try {
        await readEverything(reader, space);
        return true;
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === 'storage_damaged') return false;
        throw thrown;
      }
    },
    heal: () => {
      throw new AppError('storage_damaged', 'A memory in a database is not repaired by Waymark.', {
        hint: 'Restore it from a backup.',
      });
    },
    async close() {
      isClosed = true;
      wordIndex.forget();
    },
  };
}

function toStored({ entry, seq, deletedAt }: FoundRow) {
  return { entry, seq, deletedAt };
}

function writerOf({ provenance }: MemoryEntry): string {
  return `${provenance.origin}: ${provenance.client}`;
}
