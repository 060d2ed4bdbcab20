/** A PostgreSQL database that several instances share: its connections, and what is kept in it, tenant by tenant. */
import { createMemoryBudget, once, type Clock, type Logger, type MemoryBudget } from '../../core/index.ts';
import type { KeyMaker, RecordGate } from '../memory-store.ts';
import { readBackup } from '../sqlite/repair/read-backup.ts';
import { writeBackup } from '../sqlite/repair/write-backup.ts';
import type { Storage } from '../storage.ts';
import { createCatalogStore } from './catalog-store.ts';
import { createDatabase, type Database } from './database.ts';
import { checkAddress } from './driver.ts';
import { createGenerations, type Generations } from './generations.ts';
import { createIndexStores } from './kept-indexes.ts';
import { createMemorySpaces } from './memory-spaces.ts';
import type { BackupFiles } from './memory-store.ts';
import { prepareDatabase } from './migrate.ts';
import { createLocks, type Locks } from './open-lock.ts';
import { createPushes } from './pushes.ts';
import { readSharedKeys } from './shared-keys.ts';
import type { Tenancy } from './tenancy.ts';
import type { TreeName } from './tree.ts';
import { MOST_WORD_BYTES } from './word-index.ts';

export interface PostgresHostOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  readonly logger: Logger;
}

export interface PostgresTenantOptions {
  /** Whose rows are meant: nothing of another tenant is ever read. */
  readonly tenant: string;
  /** The names of the project that lies here, for all who work on it, and of its files in this place. */
  readonly nameOf: (root: string) => TreeName;
  /** Asked for when the first memory is opened. */
  readonly keyMaker: () => KeyMaker;
  readonly gate: RecordGate;
  /** Where backups are unpacked to be checked. */
  readonly workFolder: string;
  /** Whether the text of pushed files is kept. */
  readonly keepsSource: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type PostgresStorageOptions = PostgresHostOptions & PostgresTenantOptions;

export interface PostgresHost {
  /** What is kept of one tenant. Closing it closes no connection: tenants share them. */
  open(options: PostgresTenantOptions): Storage;
  close(): Promise<void>;
}

/** Nothing is connected before it is needed. */
export function createPostgresHost({ url, logger }: PostgresHostOptions): PostgresHost {
  checkAddress(url);
  const database = once(() => createDatabase(url, logger));
  const locks = createLocks(url, logger);
  const generations = createGenerations(url);
  const words = createMemoryBudget(MOST_WORD_BYTES);
  return {
    open: (options) => openTenant(options, { database, locks, generations, words }),
    async close() {
      generations.close();
      await locks.close();
      await database().close();
    },
  };
}

/** Of one tenant, with connections of its own. */
export function createPostgresStorage(options: PostgresStorageOptions): Storage {
  const host = createPostgresHost(options);
  const storage = host.open(options);
  return {
    ...storage,
    async close() {
      await storage.close();
      await host.close();
    },
  };
}

interface SharedByTenants {
  readonly database: () => Database;
  readonly locks: Locks;
  readonly generations: Generations;
  readonly words: MemoryBudget;
}

function openTenant(
  options: PostgresTenantOptions,
  { database, locks, generations, words }: SharedByTenants,
): Storage {
  const { tenant } = options;
  let prepared: Promise<Tenancy> | undefined;
  const tenancy = (): Promise<Tenancy> => {
    prepared ??= prepareDatabase(database(), tenant).then((id) => ({ database: database(), tenant: id }));
    // A database that was away is asked again.
    prepared.catch(() => (prepared = undefined));
    return prepared;
  };
  const backups = createBackupFiles(options);
  const memory = createMemorySpaces({ ...options, tenancy, words, locks, backups });
  const catalog = once(() => createCatalogStore(tenancy));
  return {
    indexes: createIndexStores({ ...options, tenancy, locks, generations }),
    memory,
    pushes: createPushes({ ...options, tenancy, generations }),
    catalog: async () => catalog(),
    hasCatalog: async () => true,
    isShared: true,
    sharedKeys: async (name, fresh) =>
      readSharedKeys((await tenancy()).database, { name, fresh, clock: options.clock }),
    async warmUp() {
      generations.listen();
      await tenancy().catch(() => {});
    },
    async check() {
      // At once, if the database is away; then whether its tables are as this release needs them.
      await database().check();
      await tenancy();
    },
    async close() {
      await memory.close();
      await catalog().close();
    },
  };
}

/** Files of the embedded engine: so a memory moves from one engine to the other, and a backup outlives both. */
function createBackupFiles({ workFolder, clock, logger }: PostgresTenantOptions): BackupFiles {
  return {
    write: (absPath, rows) => writeBackup(absPath, rows, { clock, logger }),
    read: (absPath) => readBackup(absPath, workFolder),
  };
}
