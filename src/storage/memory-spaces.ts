/** All memories of this user: one per repository, except where the user has said that several share one. */
import type { MemoryStore } from './memory-store.ts';

export interface SpaceLink {
  readonly identity: string;
  readonly space: string;
}

export interface MemorySpaces {
  /** The name of the memory that belongs to this identity, whether it exists yet or not. */
  spaceOf(identity: string): Promise<string>;
  /** From now on this identity uses that memory. */
  link(link: SpaceLink): Promise<void>;
  /** Back to a memory of its own; false if it was not linked. */
  unlink(identity: string): Promise<boolean>;
  links(): Promise<readonly SpaceLink[]>;
  /** Every memory there is. */
  list(): Promise<readonly string[]>;
  exists(space: string): Promise<boolean>;
  /** Opened on first use, and let go of when it was not asked for a while. */
  open(space: string): Promise<MemoryStore>;
  /** Adds what another memory holds and this one does not, as it was there; tells how many entries. */
  copy(move: { readonly from: string; readonly into: string }): Promise<number>;
  /** Reads every row of a backup and throws what is wrong with the first that is. Backups are the same files for every engine. */
  checkBackup(absPath: string): Promise<void>;
  /** Whether a memory can have this name. */
  isSpace(name: string): boolean;
  close(): Promise<void>;
}
