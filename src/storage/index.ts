/** Keeps what Waymark knows: ports that say what can be stored, and the engines behind them. All SQL is in here. */
export type { CatalogStore, KnownProject } from './catalog-store.ts';
export { catalogFile, openCatalogStore, type OpenCatalogStoreOptions } from './sqlite/catalog-store.ts';
export type {
  FoundChunk,
  IndexBatch,
  IndexedChunk,
  IndexedFile,
  IndexStats,
  IndexStore,
  ManifestEntry,
} from './index-store.ts';
export { checkStoreFile, readEngine, type StoreCondition } from './sqlite/check-file.ts';
export { indexFile, openIndexStore, type OpenIndexStoreOptions } from './sqlite/index-store.ts';
export { tryWriterLock, type WriterLock } from './sqlite/writer-lock.ts';
