/** What is indexed of one project. Derived from its files: safe to delete, made again at any time. */
import type { Definition, Skip } from '../core/index.ts';
import type { FileTerms, FileVectors } from './file-content.ts';

/** How a file was when it was indexed. */
export interface ManifestEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Digest of the bytes that were read. */
  readonly hash: string;
  /** Names the way its rows were made; a file that was analysed in another way is analysed again. */
  readonly analysis: string;
}

export interface IndexedFile extends ManifestEntry {
  readonly language: string;
  readonly lines: number;
  readonly definitions: readonly Definition[];
  readonly terms: FileTerms;
  /** Hashes of its runs of three characters, ascending: what tells which files may hold a piece of text. */
  readonly trigrams: Uint16Array;
  /** Left out without an encoder. */
  readonly vectors: FileVectors | undefined;
}

/** One transaction's worth of work. */
export interface IndexBatch {
  /** Files that were read: added or changed. */
  readonly written?: readonly IndexedFile[];
  /** Files whose size or time changed, but not their content. */
  readonly touched?: readonly ManifestEntry[];
  readonly removed?: readonly string[];
  /** All that is left out, in place of what was left out before. */
  readonly skips?: readonly Skip[];
}

export interface IndexStats {
  readonly files: number;
  readonly chunks: number;
  readonly definitions: number;
  readonly sourceBytes: number;
  readonly skips: number;
  /** Grows with every commit: readers compare it to see that something changed. */
  readonly generation: number;
  readonly byLanguage: readonly {
    readonly language: string;
    readonly files: number;
    readonly chunks: number;
  }[];
  readonly bySkipReason: readonly { readonly reason: string; readonly count: number }[];
}

/** A file as the list of all files has it. */
export interface FileEntry {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly hash: string;
  /** The commit that wrote it last. A file that is written again gets a new id. */
  readonly generation: number;
}

/** What search loads of a file, still packed: `unpackTerms` and `unpackVectors` read it. */
export interface PackedContent {
  readonly fileId: number;
  readonly terms: Uint8Array;
  readonly vectors: Uint8Array | undefined;
  readonly model: string | undefined;
  readonly dimensions: number;
}

export interface IndexStore {
  manifest(): Promise<readonly ManifestEntry[]>;
  /** All or nothing; readers see the last commit until this one is done. */
  commit(batch: IndexBatch): Promise<{ readonly generation: number }>;
  stats(): Promise<IndexStats>;
  skips(): Promise<readonly Skip[]>;
  definitionsOf(path: string): Promise<readonly Definition[]>;
  /** The number of the last commit. Cheap: asked before every search. */
  generation(): Promise<number>;
  /** Every file, and the commit at which that was true. */
  files(): Promise<{ readonly generation: number; readonly files: readonly FileEntry[] }>;
  /** The content of these files; one that is gone meanwhile is left out. */
  contents(fileIds: readonly number[]): Promise<readonly PackedContent[]>;
  /** Trigrams of every file, by its id. */
  trigrams(): Promise<ReadonlyMap<number, Uint16Array>>;
  /** Whether the file and its tables are sound. */
  isSound(): Promise<boolean>;
  close(): Promise<void>;
}
