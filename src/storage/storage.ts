/** One engine that keeps everything: indexes, memory, and the catalogue of projects. */
import type { CatalogStore } from './catalog-store.ts';
import type { IndexStores } from './index-stores.ts';
import type { MemorySpaces } from './memory-spaces.ts';
import type { Pushes } from './pushes.ts';

/** The key that is signed with, and the one before it, which still counts. */
export interface SharedKeys {
  readonly current: string;
  readonly previous: string | undefined;
}

export interface Storage {
  readonly indexes: IndexStores;
  readonly memory: MemorySpaces;
  /** Undefined where indexes are made of files of this machine alone. */
  readonly pushes: Pushes | undefined;
  /** Opened on first use: nothing is touched before it is needed. */
  catalog(): Promise<CatalogStore>;
  /** Whether there is one: asking what is known must not make it. */
  hasCatalog(): Promise<boolean>;
  /** Whether other machines keep theirs in it too: a project that is missing here may be there. */
  readonly isShared: boolean;
  /** Keys to sign with that all machines have; undefined where this machine keeps its own. `fresh` becomes one if one is due. */
  sharedKeys(name: string, fresh: string): Promise<SharedKeys | undefined>;
  /** Loads what the first call would wait for; what cannot be loaded fails when it is used. */
  warmUp(): Promise<void>;
  /** Throws at once if nothing can be kept or read at this moment. */
  check(): Promise<void>;
  /** Everything opened through it is closed before. */
  close(): Promise<void>;
}
