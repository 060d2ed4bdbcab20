/** The indexes of all projects: opening and removing them, which there are, and the locks of those who write to them. */
import type { IndexStore } from './index-store.ts';

export interface IndexStores {
  /** Creates the index if there is none. */
  open(root: string): Promise<IndexStore>;
  /** Whether a project has an index: asking must not make one. */
  exists(root: string): Promise<boolean>;
  /** False if there was none. Throws `storage_busy` if it is in use, by this process too. */
  remove(root: string): Promise<boolean>;
  /** Undefined if another holder is writing this project's index. What its holder commits is refused once the lock is lost. */
  tryWriterLock(root: string): Promise<StoreLock | undefined>;
  /** Held for as long as a process follows the project's files; undefined if another one does. */
  tryFollowerLock(root: string): Promise<StoreLock | undefined>;
  list(): Promise<readonly IndexFacts[]>;
  /** As `remove`, by the id that `list` gives it. */
  removeById(id: string): Promise<boolean>;
  /** The `key` that the index of this project has in a list. */
  keyOf(root: string): string;
}

export interface StoreLock {
  /** Aborted when the lock was lost without being released. A lock that lies with its process never is. */
  readonly lost: AbortSignal;
  /** Releasing twice is fine. */
  release(): Promise<void>;
}

export interface IndexFacts {
  /** The engine's own name for it, unique among them. */
  readonly id: string;
  /** The project it belongs to, as `keyOf` says it. */
  readonly key: string;
  /** `current`: this release reads it. `old`: another one does. `damaged`: it was moved aside. */
  readonly kind: 'current' | 'old' | 'damaged';
  readonly sizeBytes: number;
  /** When anything was last written to it, in milliseconds since the epoch. */
  readonly modifiedAt: number;
}
