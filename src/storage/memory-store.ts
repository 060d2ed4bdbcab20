/** What was learned about one repository: entries with their history, a bin, a log, and the keys they are found by. */
import type { EntryKind } from '../core/index.ts';

export { ENTRY_KINDS, type EntryKind } from '../core/index.ts';

/** Typed by a person, written by an agent, brought in from a folder, or taken from a session by a hook. */
export const ORIGINS = ['typed', 'agent', 'imported', 'captured'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Who wrote something, with what, and where they stood. */
export interface Provenance {
  readonly origin: Origin;
  /** Name and version of the program that spoke to us. */
  readonly client: string;
  readonly tool: string;
  readonly user: string;
  /** Where imported text came from. */
  readonly source?: string;
  /** What an imported file said of its own provenance, as JSON: kept for the next export, never believed. */
  readonly claims?: string;
  /** The root of the project it was written in. */
  readonly project: string;
  readonly worktree?: string;
  readonly branch?: string;
  readonly commit?: string;
}

/** A file an entry speaks of, and what it held then. */
export interface FileMark {
  readonly path: string;
  readonly hash?: string;
  /** How it differed from the last commit, if it did: `modified`, `deleted`, `staged`, `new`. */
  readonly dirty?: string;
  /** Definitions that the entry speaks of and the file held then, separated by blanks. */
  readonly names?: string;
}

export interface MemoryEntry {
  readonly id: string;
  readonly kind: EntryKind;
  readonly name: string;
  readonly summary: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** Texts that only some kinds have: `error`, `stack`, `cause`, `when`, … */
  readonly fields: Readonly<Record<string, string>>;
  /** What the caller wanted kept beside it, as JSON. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly files: readonly FileMark[];
  /** What a reader should be warned of. */
  readonly flags: readonly string[];
  /** Between 0 and 1; moved by feedback. */
  readonly confidence: number;
  readonly tokens: number;
  readonly provenance: Provenance;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

export interface StoredEntry {
  readonly entry: MemoryEntry;
  /** Grows with every save, within one store. */
  readonly seq: number;
  readonly deletedAt: number | undefined;
}

/** What an entry is found by. Made from the entry alone, so that it can be made again. */
export interface EntryKeys {
  readonly fingerprint: string | undefined;
  /** Words that count more, and the others: separated by blanks, letters, digits and underscores only. */
  readonly title: string;
  readonly body: string;
  readonly vector: Int8Array | undefined;
}

export interface KeyMaker {
  /** Changes whenever the same entry would get other keys. */
  readonly version: string;
  keysOf(entry: MemoryEntry): EntryKeys;
}

/** Stands in front of every write, so that no way into a store goes around it. */
export interface RecordGate {
  /** An entry as it may be kept. What was admitted comes out the same when it is admitted again. */
  admit(entry: MemoryEntry): Admitted;
  /** The same for any other text. */
  clean(text: string): string;
}

export interface Admitted {
  readonly entry: MemoryEntry;
  /** The kinds of secrets that were taken out, with how many of each. */
  readonly redacted: readonly { readonly kind: string; readonly count: number }[];
}

export const CHANGE_ACTIONS = ['save', 'edit', 'delete', 'undo', 'purge', 'import', 'salvage'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export interface Change {
  readonly at: number;
  readonly action: ChangeAction;
  readonly entryId: string;
  readonly kind: string;
  readonly name: string;
  readonly by: string;
}

export interface ListFilter {
  readonly kinds?: readonly EntryKind[];
  readonly limit: number;
  /** Skip this many. */
  readonly offset?: number;
  readonly inBin?: boolean;
  /** Written on this branch. */
  readonly branch?: string | undefined;
}

export interface FindFilter {
  readonly kinds?: readonly EntryKind[];
  readonly limit: number;
}

export interface BranchSize {
  readonly branch: string;
  readonly count: number;
}

export interface MemorySize {
  readonly kind: EntryKind;
  readonly count: number;
}

export interface SaveOptions {
  /** The same key gives what was saved under it first. */
  readonly saveKey?: string | undefined;
  /**
   * What becomes of an entry of the same kind that `matches`; without it, both are kept. It must keep what the entry is found by. Where
   * it gives back the old one, nothing is written and the save counts as repeated.
   */
  readonly replaces?: ((old: MemoryEntry, entry: MemoryEntry) => MemoryEntry) | undefined;
  /** Whether an entry of the same kind is the one that `replaces` speaks of; the one of its name, if left out. */
  readonly matches?: ((old: MemoryEntry, entry: MemoryEntry) => boolean) | undefined;
  /** Ends the wait for the lock of another process. */
  readonly signal?: AbortSignal | undefined;
}

export interface SavedEntry {
  readonly stored: StoredEntry;
  readonly repeated: boolean;
  /** Another of its name was replaced, and is kept as an earlier version. */
  readonly revised: boolean;
  readonly redacted: Admitted['redacted'];
}

export const STEP_WAIT_MS = 2_000;

export interface MemoryStore {
  /** On disk when this resolves. */
  save(entry: MemoryEntry, options?: SaveOptions): Promise<SavedEntry>;
  /**
   * Replaces an entry by what `change` makes of it; the old version is kept. Where it gives back the same one
   * nothing is written. Undefined if there is no such entry.
   */
  revise(
    id: string,
    change: (entry: MemoryEntry) => MemoryEntry,
    /** The author of the change, for the log; the entry's author if left out. */
    by?: string,
  ): Promise<MemoryEntry | undefined>;
  get(id: string): Promise<StoredEntry | undefined>;
  /** Newest first. */
  list(filter: ListFilter): Promise<readonly StoredEntry[]>;
  sizes(): Promise<readonly MemorySize[]>;
  /** The branches that entries were written on, by name; those in the bin do not count. */
  branches(): Promise<readonly BranchSize[]>;
  /** Moves to the bin; tells which were moved. */
  remove(ids: readonly string[], by: string): Promise<readonly string[]>;
  /** Takes out of the bin; false if it is not in there. */
  undo(id: string, by: string): Promise<boolean>;
  /** Deletes for good what is in the bin since before this time, or these of it, history and all; tells how many. */
  purge(which: PurgeChoice, by: string): Promise<number>;
  /** The same for what the store has seen in the bin for this long, whatever the clock says by now; tells how many. */
  expireBin(keepMs: number, by: string): Promise<number>;
  versions(id: string): Promise<readonly MemoryEntry[]>;
  /** Deletes these earlier versions of an entry for good; tells how many. */
  dropVersions(id: string, which: (version: MemoryEntry) => boolean): Promise<number>;
  log(limit: number): Promise<readonly Change[]>;
  /** The places of the entries with this fingerprint, newest first. */
  byFingerprint(fingerprint: string, limit: number): Promise<readonly number[]>;
  /** In how many entries each word occurs, and about how many entries there are. */
  frequencies(
    words: readonly string[],
  ): Promise<{ readonly total: number; readonly counts: ReadonlyMap<string, number> }>;
  /** The places of the entries that hold any of these words, best first. */
  byWords(words: readonly string[], filter: FindFilter): Promise<readonly number[]>;
  /** The entries at the first of these places, in their order; those of other kinds or in the bin are left out. */
  bySeqs(seqs: readonly number[], filter?: FindFilter): Promise<readonly StoredEntry[]>;
  /** The vectors of entries saved or changed after this mark. */
  vectorsAfter(mark: number): Promise<{ readonly mark: number; readonly rows: readonly VectorRow[] }>;
  /** The places that share this memory. */
  identities(): Promise<readonly SharedIdentity[]>;
  /** Nothing is written if it shares it already under this name. */
  addIdentity(identity: SharedIdentity): Promise<void>;
  removeIdentity(identity: string): Promise<boolean>;
  /** Takes in what was made elsewhere, all of it or nothing; tells of each whether it was new. */
  takeIn(items: readonly TakenIn[]): Promise<readonly ('added' | 'known')[]>;
  /** What each entry and its file said when they last agreed, as digests; with an empty id among them, files are kept in step. */
  agreed(): Promise<ReadonlyMap<string, string>>;
  /** Notes it, or forgets that they ever did. */
  agree(id: string, digest: string | undefined): Promise<void>;
  /**
   * Runs `work`, which brings this memory and files in step, while no other process does. A process that ends lets go of its turn.
   * Undefined where another one keeps it for longer than `STEP_WAIT_MS`: then the work is left to that one.
   */
  inStep<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** A consistent copy while others write: a file that every engine reads. */
  backupTo(absPath: string): Promise<void>;
  /**
   * Puts the content of such a copy in place of everything, in one transaction; tells how many entries it had. Every row is
   * checked first: what is wrong with one of them is said as a `bad_argument`, and nothing is changed.
   */
  restoreFrom(absPath: string): Promise<number>;
  verify(): Promise<boolean>;
  /** Looks at everything; what is damaged is put aside, and what can be read of it is kept. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

export interface TakenIn {
  readonly entry: MemoryEntry;
  /** Its earlier versions, oldest first. */
  readonly history: readonly MemoryEntry[];
  /** Saved like any other if it is given; otherwise it keeps its id and counts as known where that is taken. */
  readonly saveAs?: SaveOptions | undefined;
}

export type PurgeChoice = { readonly before: number } | { readonly ids: readonly string[] };

export interface VectorRow {
  readonly seq: number;
  readonly vector: Int8Array;
}

export interface SharedIdentity {
  readonly identity: string;
  readonly name: string;
  readonly since: number;
}
