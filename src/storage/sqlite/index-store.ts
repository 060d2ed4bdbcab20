/** A project's index in a SQLite file. */
import type { Clock, Logger } from '../../core/index.ts';
import type { IndexStore } from '../index-store.ts';
import {
  readEmbeddedModels,
  readEmbedding,
  readEmbeddings,
  readEmbeddingState,
  readUnembedded,
  readVanished,
  readVectorState,
  removeOtherEmbeddings,
  writeEmbeddings,
} from './embedding-rows.ts';
import {
  readContents,
  readDefinitions,
  readFiles,
  readGeneration,
  readManifest,
  readOutlines,
  readParseFailures,
  readSkips,
  readTrigrams,
  readUnparsed,
  readVectors,
  writeBatch,
} from './index-rows.ts';
import { indexFile } from './index-file.ts';
import { INDEX_MIGRATIONS } from './index-schema.ts';
import { readStats } from './index-stats.ts';
import { createKeptView } from './kept-view.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteStore } from './sqlite-store.ts';

export interface OpenIndexStoreOptions {
  readonly cacheDir: string;
  /** Canonical real path of the project's root. */
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function openIndexStore({
  cacheDir,
  root,
  clock,
  logger,
}: OpenIndexStoreOptions): Promise<IndexStore> {
  const store = await openDatabase({
    absPath: indexFile(cacheDir, root),
    migrations: INDEX_MIGRATIONS,
    // Losing the last moments of an index costs a moment of work; nothing in it is precious.
    durability: 'normal',
    onDamage: 'rebuild',
    clock,
    logger,
  });
  await store.write(
    (tx) => void tx.run('INSERT OR IGNORE INTO state (id, root, generation) VALUES (1, ?, 0)', root),
  );
  return createIndexStore(store, indexFile(cacheDir, root));
}

function createIndexStore(store: SqliteStore, absPath: string): IndexStore {
  return {
    manifest: async () => store.read(readManifest),
    commit: async (batch) => ({ generation: await store.write((tx) => writeBatch(tx, batch)) }),
    stats: async () => store.read(readStats),
    skips: async () => store.read(readSkips),
    unparsed: async (parser, retry) => store.read((tx) => readUnparsed(tx, parser, retry)),
    parseFailures: async () => store.read(readParseFailures),
    definitionsOf: async (path) => store.read((tx) => readDefinitions(tx, path)),
    outlinesOf: async (paths) => store.read((tx) => readOutlines(tx, paths)),
    generation: async () => store.read(readGeneration),
    files: async () => store.read((tx) => ({ generation: readGeneration(tx), files: readFiles(tx) })),
    contents: async (fileIds) => store.read((tx) => readContents(tx, fileIds)),
    vectors: async (fileIds) => store.read((tx) => readVectors(tx, fileIds)),
    trigrams: async () => store.read(readTrigrams),
    vectorState: async (model) => store.read((tx) => readVectorState(tx, model)),
    embeddingState: async (model) => store.read((tx) => readEmbeddingState(tx, model)),
    embeddedModels: async () => store.read(readEmbeddedModels),
    unembedded: async (model) => store.read((tx) => readUnembedded(tx, model)),
    embeddings: async (model, fileIds) => store.read((tx) => readEmbeddings(tx, model, fileIds)),
    embeddingAt: async (model, path) => store.read((tx) => readEmbedding(tx, model, path)),
    vanishedEmbeddings: async (model) => store.read((tx) => readVanished(tx, model)),
    commitEmbeddings: (files) => store.write((tx) => writeEmbeddings(tx, files)),
    keepEmbeddingsOf: (model) => store.write((tx) => removeOtherEmbeddings(tx, model)),
    ...createKeptView(store, absPath),
    isSound: async () => (await store.verify()).kind === 'sound',
    close: async () => store.close(),
  };
}
