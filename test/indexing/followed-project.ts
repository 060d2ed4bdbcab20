/** A project with an index, in this process, as a server would have it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createAnalyzer,
  createFollowing,
  createIndexer,
  type Following,
  type FollowingParts,
} from '../../src/indexing/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { createIndexStores, type IndexStore } from '../../src/storage/index.ts';
import { silentLogger } from '../../src/text/index.ts';
import { tempFolder, type OnEnd, type TempFolder } from '../support/temp-folder.ts';

export interface FollowedProject {
  readonly project: TempFolder;
  readonly root: string;
  readonly following: Following;
  readonly store: IndexStore;
  /** The paths in the index. */
  indexed(): Promise<readonly string[]>;
  /** The files that are indexed as they are now and hold this word. */
  find(word: string): Promise<readonly string[]>;
}

export interface FollowOptions extends Partial<Pick<FollowingParts, 'openWatch' | 'mayFollow'>> {
  readonly cacheDir?: string;
  readonly onEnd?: OnEnd;
}

export async function openProject(
  project: TempFolder,
  { cacheDir, onEnd = onTestFinished, ...parts }: FollowOptions = {},
): Promise<FollowedProject> {
  const cache = cacheDir ?? tempFolder({}, onEnd).path;
  const root = project.path;
  const indexes = createIndexStores({ cacheDir: cache, clock: systemClock, logger: silentLogger });
  const store = await indexes.open(root);
  const made = createAnalyzer(undefined);
  const analyzer = () => made;
  const common = {
    openStore: async () => store,
    tryLock: () => indexes.tryWriterLock(root),
    analyzer,
    clock: systemClock,
    logger: silentLogger,
  };
  const indexer = createIndexer(common);
  const following = createFollowing({
    ...common,
    tryFollow: () => indexes.tryFollowerLock(root),
    scopeOf: () => ({}),
    run: (_root, options) => indexer.run(root, options),
    mayFollow: () => true,
    ...parts,
  });
  onEnd(async () => {
    await following.close();
    await store.close();
  });
  return {
    project,
    root,
    following,
    store,
    indexed: async () => (await store.manifest()).map(({ path }) => path),
    async find(word) {
      const entries = await store.manifest();
      return entries.filter(({ path, hash }) => holds(join(root, path), hash, word)).map(({ path }) => path);
    },
  };
}

function holds(absPath: string, hash: string, word: string): boolean {
  if (!existsSync(absPath) || !statSync(absPath).isFile()) return false;
  const bytes = readFileSync(absPath);
  return bytes.includes(word) && createHash('sha256').update(bytes).digest('base64url') === hash;
}
