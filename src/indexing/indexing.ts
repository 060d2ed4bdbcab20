/** Indexing as a service: bring a project's index up to date, and say what is in it. */
import type { Clock, Logger, Skip } from '../core/index.ts';
import type { IndexStats, IndexStore, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import { createIndexer, type IndexOptions, type IndexOutcome } from './indexer.ts';

export interface IndexingParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  readonly analyzer: () => Analyzer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Indexing {
  run(root: string, options: IndexOptions): Promise<IndexOutcome>;
  stats(root: string): Promise<IndexStats>;
  skips(root: string): Promise<readonly Skip[]>;
  close(): Promise<void>;
}

/** Stores stay open between calls: opening one costs more than most questions to it. */
export function createIndexing(parts: IndexingParts): Indexing {
  const open = new Map<string, Promise<IndexStore>>();
  const storeFor = (root: string): Promise<IndexStore> => {
    const known = open.get(root) ?? parts.openStore(root);
    open.set(root, known);
    // A store that could not be opened is tried again at the next call.
    known.catch(() => open.delete(root));
    return known;
  };
  const indexer = createIndexer({ ...parts, openStore: storeFor });
  return {
    run: (root, options) => indexer.run(root, options),
    stats: async (root) => (await storeFor(root)).stats(),
    skips: async (root) => (await storeFor(root)).skips(),
    async close() {
      const stores = await Promise.allSettled(open.values());
      open.clear();
      for (const store of stores) if (store.status === 'fulfilled') await store.value.close();
    },
  };
}
