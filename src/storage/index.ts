/** Keeps what Waymark knows: ports that say what can be stored, and the engines behind them. All SQL is in here. */
export type { CatalogStore, KnownProject } from './catalog-store.ts';
export { openCatalogStore, type OpenCatalogStoreOptions } from './sqlite/catalog-store.ts';
export type {
  EmbeddedFile,
  EmbeddingState,
  FileEntry,
  IndexBatch,
  IndexedFile,
  IndexStats,
  IndexStore,
  LanguageHealth,
  ManifestEntry,
  KeptHistory,
  KeptView,
  PackedContent,
  PackedFacts,
  PackedVectors,
  ParsedEntry,
  RowStamp,
  WholeFile,
  ParseNote,
  ParseFailed,
  UnembeddedFile,
  UnparsedFile,
} from './index-store.ts';
export {
  type FileVectors,
  type Outline,
  packedCount,
  type PackedFile,
  readableOutline,
  renderOutline,
  unpackVectors,
} from './packed-file.ts';
export { eachFileOf, packHistory, pushSmall, unpackHistory, type FileHistory } from './packed-history.ts';
export { rowIsCut } from './byte-stream.ts';
export {
  checkMemoryFile,
  checkStoreFile,
  readEngine,
  type StoreCondition,
} from './sqlite/repair/check-file.ts';
export {
  createIndexStores,
  indexFile,
  openIndexStore,
  type IndexStoresOptions,
  type OpenIndexStoreOptions,
} from './sqlite/index-store.ts';
export type { IndexFacts, IndexStores, StoreLock } from './index-stores.ts';
export type { SharedKeys, Storage } from './storage.ts';
export { contentKey } from './content-key.ts';
export { bucketOf, digestBuckets } from './push-buckets.ts';
export {
  BUCKET_DIGEST_BYTES,
  BUCKETS,
  type PushedFile,
  type PushedTree,
  type Pushes,
  type PushState,
  type PushTarget,
  type StagedEntry,
} from './pushes.ts';
export {
  createPostgresHost,
  createPostgresStorage,
  type PostgresStorageOptions,
} from './postgres/storage.ts';
export { openStorageAdmin, type StorageAdmin, type TenantSize } from './postgres/admin.ts';
export { createSqliteStorage, type SqliteStorageOptions } from './sqlite/storage.ts';
export {
  aloneWithStore,
  findOwnStores,
  whyLeft,
  type LeftFile,
  type OwnStore,
  type StoreSort,
} from './sqlite/repair/own-stores.ts';
export {
  CHANGE_ACTIONS,
  ENTRY_KINDS,
  ORIGINS,
  type Admitted,
  type Change,
  type ChangeAction,
  type EntryKeys,
  type EntryKind,
  type FileMark,
  type KeyMaker,
  type FindFilter,
  type RecordGate,
  type SavedEntry,
  type ListFilter,
  type MemoryEntry,
  type BranchSize,
  type MemorySize,
  type MemoryStore,
  type Origin,
  type Provenance,
  type SharedIdentity,
  type SaveOptions,
  type StoredEntry,
  type TakenIn,
  type VectorRow,
} from './memory-store.ts';
export { isDate as isEntryDate } from './memory-rows.ts';
export { openMemoryStore, type OpenMemoryStoreOptions } from './sqlite/open-memory-store.ts';
export type { MemorySpaces, SpaceLink } from './memory-spaces.ts';
export { peekMemories, type MemoryPeek } from './sqlite/peek-memories.ts';
export { createMemorySpaces, memoryDirectory, type MemorySpacesOptions } from './sqlite/memory-spaces.ts';
