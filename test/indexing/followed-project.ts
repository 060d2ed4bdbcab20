/** A project with an index, in this process, as a server would have it. */
import { onTestFinished } from 'vitest';
import type { Indexing } from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { openIndexStore, type IndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { chunksWith } from '../support/indexed-words.ts';
import { plainIndexing, type PlainOptions } from '../support/plain-indexing.ts';
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

export interface FollowOptions extends PlainOptions {
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
  const indexing = plainIndexing(cache, store, parts);
  onEnd(() => indexing.close());
  return {
    project,
    root,
    indexing,
    store,
    indexed: async () => (await store.manifest()).map(({ path }) => path),
    find: async (word) => (await chunksWith(store, word)).map(({ path }) => path).sort(),
  };
}

/** A word of letters only, one for each number: what has digits is several words. */
export function wordOf(number: number): string {
  return `q${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`;
}
