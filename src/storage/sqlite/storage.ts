/** Everything in SQLite files of this user: indexes in the cache directory, the rest in the data directory. */
import { pathExists } from '../../platform/index.ts';
import type { CatalogStore } from '../catalog-store.ts';
import type { Storage } from '../storage.ts';
import { catalogFile, openCatalogStore } from './catalog-store.ts';
import { loadDriver } from './driver.ts';
import { createIndexStores } from './index-store.ts';
import { createMemorySpaces, type MemorySpacesOptions } from './memory-spaces.ts';

export interface SqliteStorageOptions extends MemorySpacesOptions {
  readonly cacheDir: string;
}

export function createSqliteStorage(options: SqliteStorageOptions): Storage {
  let catalog: Promise<CatalogStore> | undefined;
  const memory = createMemorySpaces(options);
  const openCatalog = (): Promise<CatalogStore> => {
    catalog ??= openCatalogStore(options);
    // One that could not be opened is tried again at the next call.
    catalog.catch(() => (catalog = undefined));
    return catalog;
  };
  return {
    indexes: createIndexStores(options),
    memory,
    pushes: undefined,
    catalog: openCatalog,
    isShared: false,
    sharedKeys: async () => undefined,
    hasCatalog: async () => pathExists(catalogFile(options.dataDir)),
    async warmUp() {
      await loadDriver();
      // Every first call notes its project there.
      if (pathExists(catalogFile(options.dataDir))) await (await openCatalog()).list({ limit: 1 });
    },
    check: async () => void (await (await openCatalog()).list({ limit: 1 })),
    async close() {
      await memory.close();
      // A store that failed to open has nothing to close, and its opener has heard of the failure.
      await catalog?.then(
        (store) => store.close(),
        () => {},
      );
    },
  };
}
