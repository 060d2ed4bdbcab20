/** Opens a repository's memory whatever state its file is in: what is damaged is put aside, and what can be read of it is kept. */
import { dirname } from 'node:path';
import type { Clock, Logger } from '../../core/index.ts';
import { sizeOfFile } from '../../platform/index.ts';
import { admitRows } from '../admit-rows.ts';
import type { KeyMaker, RecordGate } from '../memory-store.ts';
import { hasErrorCode, loadDriver } from './driver.ts';
import {
  checkEveryRow,
  insertChange,
  insertIdentity,
  insertRows,
  parseStored,
  rewriteKeys,
} from './memory-queries.ts';
import { MEMORY_MIGRATIONS } from './memory-schema.ts';
import { createHealing, createMemoryStore, isFileTrouble, type SqliteMemory } from './memory-store.ts';
import { openDatabase } from './open-database.ts';
import { createStoreLock } from './open-lock.ts';
import { salvageMemory } from './repair/memory-salvage.ts';
import { schemaProblem } from './schema-objects.ts';
import type { SqliteStore } from './sqlite-store.ts';
import type { ReadTx, Transactions } from './transactions.ts';

export interface OpenMemoryStoreOptions {
  readonly absPath: string;
  readonly keyMaker: KeyMaker;
  readonly gate: RecordGate;
  /** Where the file is copied to before its schema changes. */
  readonly backupDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Up to this size everything is looked at whenever the file is opened; beyond, when something is wrong. */
const CHECKED_BYTES = 16 * 1024 * 1024;

export async function openMemoryStore(options: OpenMemoryStoreOptions): Promise<SqliteMemory> {
  const open = async (check: 'quick' | 'full'): Promise<SqliteStore> => {
    const store = await openDatabase({
      absPath: options.absPath,
      migrations: MEMORY_MIGRATIONS,
      durability: 'full',
      onDamage: (damagedAbsPath, fresh) => refill(damagedAbsPath, fresh, options),
      check,
      isSound: everyRowIsSound,
      backupDir: options.backupDir,
      clock: options.clock,
      logger: options.logger,
    });
    try {
      await refreshKeys(store, options.keyMaker);
      return store;
    } catch (thrown) {
      store.close();
      if (check === 'full' || !isFileTrouble(thrown)) throw thrown;
      return open('full');
    }
  };
  const { absPath, keyMaker, gate, clock } = options;
  const first = await open(sizeOfFile(absPath) <= CHECKED_BYTES ? 'full' : 'quick');
  return createMemoryStore({
    healing: createHealing(first, () => open('full')),
    filesLock: createStoreLock(await loadDriver(), {
      absPath: `${absPath}.files.lock`,
      name: 'the files of a memory',
    }),
    isSound: everyRowIsSound,
    keyMaker,
    gate,
    clock,
    workFolder: dirname(absPath),
  });
}

function refill(
  damagedAbsPath: string,
  fresh: Transactions,
  { keyMaker, gate, clock }: OpenMemoryStoreOptions,
): void {
  const rows = admitRows(salvageMemory(damagedAbsPath), gate);
  fresh.write((tx) => {
    insertRows(tx, rows, keyMaker);
    for (const identity of rows.identities) insertIdentity(tx, identity);
    const name = `${rows.entries.length} entries`;
    insertChange(tx, { at: clock.now(), action: 'salvage', entryId: '', kind: '', name, by: 'waymark' });
    tx.run('UPDATE key_state SET version = ?', keyMaker.version);
  });
}

function everyRowIsSound(transactions: Pick<Transactions, 'read'>): boolean {
  try {
    return transactions.read((tx) => {
      checkEveryRow(tx);
      return schemaProblem((sql) => tx.all(sql), MEMORY_MIGRATIONS) === undefined;
    });
  } catch (thrown) {
    if (hasErrorCode(thrown, 'storage_damaged')) return false;
    throw thrown;
  }
}

async function refreshKeys(store: SqliteStore, keyMaker: KeyMaker): Promise<void> {
  const isCurrent = (tx: ReadTx): boolean =>
    tx.get('SELECT version FROM key_state')?.['version'] === keyMaker.version;
  if (store.read(isCurrent)) return;
  await store.write((tx) => {
    if (!isCurrent(tx)) rewriteKeys(tx, keyMaker, parseStored);
  });
}
