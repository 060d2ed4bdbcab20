/** Whether indexes are at their files, and keeping them there while a server runs. Nothing is watched before it is used. */
import type { Clock, Logger } from '../core/index.ts';
import { openFolderWatch } from '../workspace/index.ts';
import type { IndexStore, WriterLock } from '../storage/index.ts';
import type { Analyzer } from './analyze-file.ts';
import type { FreshState } from './fresh-state.ts';
import type { IndexOptions } from './indexer.ts';
import { createProjectFollower, type FollowStatus, type ProjectFollower } from './project-follower.ts';
import type { ProjectSettings } from './tracked-project.ts';

export interface FollowingParts {
  readonly openStore: (root: string) => Promise<IndexStore>;
  readonly tryLock: (root: string) => Promise<WriterLock | undefined>;
  readonly tryFollow: (root: string) => Promise<WriterLock | undefined>;
  readonly analyzer: () => Analyzer;
  readonly scopeOf: (root: string) => ProjectSettings;
  readonly run: (root: string, options: IndexOptions) => Promise<unknown>;
  /** Whether projects are followed: only while a server runs, and not where the user has switched it off. */
  readonly mayFollow: () => boolean;
  readonly openWatch?: typeof openFolderWatch;
  /** An index that this process keeps at its files is there. */
  readonly onCaughtUp?: (root: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Following {
  /** How the index stands beside the files right now. Nothing is indexed. */
  check(root: string): Promise<FreshState>;
  /** As `check`, but what changed is indexed first, or waited for while another process does, at most this long. */
  catchUp(root: string, withinMs: number): Promise<FreshState>;
  /** From now on the index of this project is kept at its files, by this process or by one that already does. */
  follow(root: string): void;
  stop(root: string): Promise<void>;
  status(root: string): FollowStatus | undefined;
  close(): Promise<void>;
}

export function createFollowing(parts: FollowingParts): Following {
  const projects = new Map<string, ProjectFollower>();

  function of(root: string): ProjectFollower {
    const known = projects.get(root);
    if (known !== undefined) return known;
    const made = createProjectFollower({
      root,
      openStore: () => parts.openStore(root),
      analyzer: parts.analyzer,
      settings: () => parts.scopeOf(root),
      tryLock: () => parts.tryLock(root),
      tryFollow: () => parts.tryFollow(root),
      runAll: (signal) => parts.run(root, { signal }),
      openWatch: parts.openWatch ?? openFolderWatch,
      onCaughtUp: () => parts.onCaughtUp?.(root),
      clock: parts.clock,
      logger: parts.logger,
    });
    projects.set(root, made);
    return made;
  }

  async function stop(root: string): Promise<void> {
    const known = projects.get(root);
    projects.delete(root);
    await known?.stop();
  }

  return {
    check: (root) => of(root).check(),
    catchUp: (root, withinMs) => of(root).catchUp(withinMs),
    follow(root) {
      if (parts.mayFollow()) of(root).follow();
    },
    stop,
    status: (root) => projects.get(root)?.status(),
    async close() {
      await Promise.all([...projects.keys()].map(stop));
    },
  };
}
