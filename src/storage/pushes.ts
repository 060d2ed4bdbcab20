/** Indexes that come from elsewhere: what a client made of a tree is compared with what is here, sent where it is missing, and taken over at once. */
import type { IndexedFile, ParseNote } from './index-store.ts';

/** Where a push goes. */
export interface PushTarget {
  /** The normalised remote. */
  readonly identity: string;
  readonly branch: string;
  /** Who pushes: a principal on its way to the engine, and its digest from there on. */
  readonly person: string;
  /** To what lies over the branch for this person alone, and not to the branch. */
  readonly isHead: boolean;
  /** The same for all requests of one push: what an earlier one left is not taken for this one's. */
  readonly attempt: number;
}

export const BUCKETS = 256;
export const BUCKET_DIGEST_BYTES = 8;

export interface PushState {
  /** Of the branch; undefined for one that was never pushed. */
  readonly commit: string | undefined;
  readonly generation: number;
  /** Those whose files are not the same as the client's. */
  readonly differing: readonly number[];
}

export interface StagedEntry {
  readonly path: string;
  /** As `contentKey` makes it. */
  readonly key: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Not committed: it is known to no other by its key. */
  readonly isOwn: boolean;
}

/** All that an index holds of a file. */
export interface WholeFile extends IndexedFile {
  /** Undefined for a file that was not parsed. */
  readonly parsed: { readonly note: ParseNote; readonly facts: Uint8Array | undefined } | undefined;
}

export interface PushedFile extends WholeFile {
  readonly isOwn: boolean;
  /** Its text without secrets, where the server keeps that. */
  readonly source: Uint8Array | undefined;
}

export interface PushEnd {
  readonly generation: number;
  /** That the state was told with. */
  readonly base: number;
  readonly commit: string | undefined;
  readonly differing: readonly number[];
  /** Paths that stay as they are in the branch. */
  readonly kept: readonly string[];
  /** How many files of these buckets the client has. */
  readonly files: number;
}

export interface PushedTree {
  readonly root: string;
  readonly commit: string | undefined;
  readonly pushedAt: number;
  readonly hasSource: boolean;
}

export interface Pushes {
  /** How a branch stands beside the client's files, told by a digest of each bucket. `kept` paths are left out on both sides. */
  state(
    target: PushTarget,
    mine: { readonly digests: Uint8Array; readonly kept: readonly string[] },
  ): Promise<PushState>;
  /** Notes what is there, and resolves with the places of those entries whose content has to be sent. */
  stage(target: PushTarget, entries: readonly StagedEntry[]): Promise<readonly number[]>;
  /** Throws `bad_argument` if something else is here under the same key. */
  add(target: PushTarget, files: readonly PushedFile[]): Promise<void>;
  /** All at once. Throws `storage_busy` if the tree was changed since the state was told, or if files are missing. */
  commit(target: PushTarget, end: Omit<PushEnd, 'generation'>): Promise<{ readonly generation: number; readonly files: number }>;
  /** The trees that a name means: `host/path`, its last word, with `@branch` or without; a person's own before the branch. */
  find(name: string, person: string): Promise<readonly string[]>;
  tree(root: string): Promise<PushedTree | undefined>;
  /** The text of a file as it was pushed, where it is kept. */
  source(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
