/** The followers of this process: whether indexes match their files, and keeping them so while a server runs. */
import type { KnownFiles } from '../workspace/index.ts';
import {
  createFollower,
  type Follower,
  type FollowerParts,
  type FollowStatus,
  type FreshState,
} from './follower.ts';

export type { FreshState } from './follower.ts';

export interface FollowingParts extends FollowerParts {
  /** Whether projects are followed: only while a server runs, and not where the user has turned it off. */
  readonly mayFollow: () => boolean;
}

export interface Following {
  /** How the index stands beside the files right now. Nothing is indexed. */
  check(root: string): Promise<FreshState>;
  /** As `check`, but what changed is indexed first, or waited for while another process does, at most this long. */
  catchUp(root: string, withinMs: number): Promise<FreshState>;
  /** From now on the index of this project is kept at its files, by this process or by one that already does. */
  follow(root: string): void;
  /** A project's files as its watch keeps them; undefined where this process does not watch them, or not all is known. */
  knownFiles(root: string): Promise<KnownFiles | undefined>;
  stop(root: string): Promise<void>;
  status(root: string): FollowStatus | undefined;
  close(): Promise<void>;
}

export function createFollowing(parts: FollowingParts): Following {
  const followers = new Map<string, Follower>();

  function of(root: string): Follower {
    const known = followers.get(root) ?? createFollower(root, parts);
    followers.set(root, known);
    return known;
  }

  async function stop(root: string): Promise<void> {
    const known = followers.get(root);
    followers.delete(root);
    await known?.stop();
  }

  return {
    check: (root) => of(root).check(),
    catchUp: (root, withinMs) => of(root).catchUp(withinMs),
    follow(root) {
      if (parts.mayFollow()) of(root).follow();
    },
    knownFiles: async (root) => followers.get(root)?.knownFiles(),
    stop,
    status: (root) => followers.get(root)?.status(),
    async close() {
      await Promise.all([...followers.keys()].map(stop));
    },
  };
}
