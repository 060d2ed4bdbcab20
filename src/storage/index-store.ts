/** What is indexed of one project. Derived from its files: safe to delete, made again at any time. */
import type { Definition, LineRange, Skip } from '../core/index.ts';

/** How a file was when it was indexed. */
export interface ManifestEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Digest of the bytes that were read. */
  readonly hash: string;
}

export interface IndexedChunk extends LineRange {
  /** Its words, as the token stream gives them, separated by spaces. The text itself is read back from the file. */
  readonly tokens: string;
}

export interface IndexedFile extends ManifestEntry {
  readonly language: string;
  readonly lines: number;
  readonly definitions: readonly Definition[];
  readonly chunks: readonly IndexedChunk[];
}

/** One transaction's worth of work. */
export interface IndexBatch {
  /** Files that were read: added or changed. */
  readonly written?: readonly IndexedFile[];
  /** Files whose content is the same but whose path, size or time is not. */
  readonly moved?: readonly { readonly from: string; readonly to: ManifestEntry }[];
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

export interface FoundChunk extends LineRange {
  readonly path: string;
  /** Larger is better; only the order means anything. */
  readonly score: number;
}

export interface IndexStore {
  manifest(): Promise<readonly ManifestEntry[]>;
  /** All or nothing; readers see the last commit until this one is done. */
  commit(batch: IndexBatch): Promise<{ readonly generation: number }>;
  stats(): Promise<IndexStats>;
  skips(): Promise<readonly Skip[]>;
  definitionsOf(path: string): Promise<readonly Definition[]>;
  /** Chunks that hold any of the words, best first. */
  findChunks(words: readonly string[], limit: number): Promise<readonly FoundChunk[]>;
  /** Whether the file and its full-text index are sound. */
  isSound(): Promise<boolean>;
  close(): Promise<void>;
}
