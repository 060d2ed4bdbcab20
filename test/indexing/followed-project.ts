/** A project with an index, in this process, as a server would have it. */
import { onTestFinished } from 'vitest';
import { createIndexing, type Indexing, type IndexingParts } from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { openIndexStore, tryFollowerLock, tryWriterLock, type IndexStore } from '../../src/storage/index.ts';
import { silentLogger, tokenize } from '../../src/text/index.ts';
import { tempFolder, type OnEnd, type TempFolder } from '../support/temp-folder.ts';

export interface FollowedProject {
  readonly project: TempFolder;
  readonly root: string;
  readonly indexing: Indexing;
  readonly store: IndexStore;
  /** The paths in the index. */
  indexed(): Promise<readonly string[]>;
  /** Where a word is found. */
  find(word: string): Promise<readonly string[]>;
}

export interface FollowOptions extends Partial<Pick<IndexingParts, 'openWatch' | 'watch' | 'settings'>> {
  readonly cacheDir?: string;
  readonly onEnd?: OnEnd;
}

export async function openProject(
  project: TempFolder,
  { cacheDir, onEnd = onTestFinished, ...parts }: FollowOptions = {},
): Promise<FollowedProject> {
  const cache = cacheDir ?? tempFolder({}, onEnd).path;
  const root = project.path;
  const place = { cacheDir: cache, root, clock: systemClock, logger: silentLogger };
  const store = await openIndexStore(place);
  const indexing = createIndexing({
    openStore: async () => store,
    tryLock: () => tryWriterLock(cache, root),
    tryFollow: () => tryFollowerLock(cache, root),
    settings: () => ({}),
    watch: 'auto',
    clock: systemClock,
    logger: silentLogger,
    ...parts,
  });
  onEnd(() => indexing.close());
  return {
    project,
    root,
    indexing,
    store,
    indexed: async () => (await store.manifest()).map(({ path }) => path),
    find: async (word) => (await store.findChunks(tokenize(word), 50)).map(({ path }) => path).sort(),
  };
}

/** A word of letters only, one for each number: what has digits is several words. */
export function wordOf(number: number): string {
  return `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;
}
