/** Indexing of one folder, as the application would wire it, without anything around it. */
import {
  createAnalyzer,
  createIndexing,
  type Indexing,
  type IndexingParts,
} from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { tryFollowerLock, tryWriterLock, type IndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';

export type PlainOptions = Partial<Pick<IndexingParts, 'openWatch' | 'scopeOf'>>;

export function plainIndexing(cacheDir: string, store: IndexStore, options: PlainOptions = {}): Indexing {
  const analyzer = createAnalyzer(undefined);
  return createIndexing({
    openStore: async () => store,
    tryLock: (root) => tryWriterLock(cacheDir, root),
    tryFollow: (root) => tryFollowerLock(cacheDir, root),
    analyzer: () => analyzer,
    hasIndex: () => true,
    removeIndex: async () => false,
    scopeOf: () => ({ list: {}, languages: [] }),
    autoIndex: 'auto',
    follows: () => true,
    shelf: { list: async () => [], tidy: async () => [] },
    newId: () => 'op-1',
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
}
