/** Keeps what Waymark knows: ports that say what can be stored, and the engines behind them. All SQL is in here. */
export type { CatalogStore, KnownProject } from './catalog-store.ts';
export { openCatalogStore, type OpenCatalogStoreOptions } from './sqlite/catalog-store.ts';
