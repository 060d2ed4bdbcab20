/** Everything of one tenant in a PostgreSQL database that several instances share. */
import { once, type Clock, type Logger } from '../../core/index.ts';
import type { KeyMaker, RecordGate } from '../memory-store.ts';
import { readBackup } from '../sqlite/repair/read-backup.ts';
import { writeBackup } from '../sqlite/repair/write-backup.ts';
import type { Storage } from '../storage.ts';
import { createCatalogStore } from './catalog-store.ts';
import { createDatabase } from './database.ts';
import { createGenerations } from './generations.ts';
import { createIndexStores } from './kept-indexes.ts';
import { createMemorySpaces } from './memory-spaces.ts';
import type { BackupFiles } from './memory-store.ts';
import { prepareDatabase } from './migrate.ts';
import { createLocks } from './open-lock.ts';
import { readSharedKeys } from './shared-keys.ts';
import type { Tenancy } from './tenancy.ts';
import type { TreeName } from './tree.ts';

export interface PostgresStorageOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Whose rows are meant: nothing of another tenant is ever read. */
  readonly tenant: string;
  /** The names of the project that lies here, for all who work on it, and of its files in this place. */
  readonly nameOf: (root: string) => TreeName;
  /** Asked for when the first memory is opened. */
  readonly keyMaker: () => KeyMaker;
  readonly gate: RecordGate;
  /** Where backups are unpacked to be checked. */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Nothing is connected before it is needed. */
export function createPostgresStorage(options: PostgresStorageOptions): Storage {
  const { url, tenant, logger } = options;
  const database = once(() => createDatabase(url, logger));
  const locks = createLocks(url, logger);
  const generations = createGenerations(url);
  let prepared: Promise<Tenancy> | undefined;
  const tenancy = (): Promise<Tenancy> => {
    prepared ??= prepareDatabase(database(), tenant).then((id) => ({ database: database(), tenant: id }));
    // A database that was away is asked again.
    prepared.catch(() => (prepared = undefined));
    return prepared;
  };
  const memory = createMemorySpaces({ ...options, tenancy, backups: createBackupFiles(options) });
  const catalog = once(() => createCatalogStore(tenancy));
  return {
    indexes: createIndexStores({ ...options, tenancy, locks, generations }),
    memory,
    catalog: async () => catalog(),
    hasCatalog: async () => true,
    isShared: true,
    sharedKeys: async (name, fresh) =>
      readSharedKeys((await tenancy()).database, { name, fresh, clock: options.clock }),
    warmUp: async () => void (await tenancy().catch(() => {})),
    check: () => database().check(),
    async close() {
      await memory.close();
      await catalog().close();
      generations.close();
      await locks.close();
      await database().close();
    },
  };
}

/** Files of the embedded engine: so a memory moves from one engine to the other, and a backup outlives both. */
function createBackupFiles({ workFolder, clock, logger }: PostgresStorageOptions): BackupFiles {
  return {
    write: (absPath, rows) => writeBackup(absPath, rows, { clock, logger }),
    read: (absPath) => readBackup(absPath, workFolder),
  };
}
