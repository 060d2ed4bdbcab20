/** What is indexed of one project. Derived from its files: safe to delete, made again at any time. */
import type { Definition, Skip } from '../core/index.ts';
import type { FileVectors, Outline, PackedFile } from './packed-file.ts';

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

export interface IndexedFile extends ManifestEntry, PackedFile {}

/** How the exact pass read a file. A file that is written again has none until it is parsed again. */
export interface ParseNote {
  /** Names the parser and its rules; what an older one read is read again. */
  readonly parser: string;
  /** Why it could not be read; undefined if it could. */
  readonly failure: string | undefined;
  /** Share of the text that the grammar could not read, 0 to 1. */
  readonly errorShare: number;
}

/** What an exact parser made of an indexed file. It counts for nothing if the file was written since with other bytes. */
export interface ParsedEntry extends Pick<ManifestEntry, 'path' | 'hash' | 'analysis'> {
  readonly note: ParseNote;
  /** In place of those that are there, which stay if the file could not be read. */
  readonly definitions: readonly Definition[] | undefined;
  /** Where other definitions make other rows: those. Readers see the file as written again. */
  readonly rows: PackedFile | undefined;
  /** What structure is resolved from, packed by the parser; opaque here. */
  readonly facts?: Uint8Array | undefined;
}

/** An indexed file that waits for the exact pass. */
export interface UnparsedFile extends ManifestEntry {
  readonly language: string;
  /** Its rows are those of another parser, not of the outline. */
  readonly isParsedOtherwise: boolean;
}

/** One transaction's worth of work. */
export interface IndexBatch {
  /** Files that were read: added or changed. */
  readonly written?: readonly IndexedFile[];
  /** Files whose size or time changed, but not their content. */
  readonly touched?: readonly ManifestEntry[];
  readonly removed?: readonly string[];
  readonly parsed?: readonly ParsedEntry[];
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
  /** What the exact pass read so far, by language. */
  readonly parsed: readonly LanguageHealth[];
}

export interface LanguageHealth {
  readonly language: string;
  readonly exact: number;
  readonly failed: number;
  /** Share of the source, in the files that were parsed, that the grammar could not read. */
  readonly errorShare: number;
}

/** A file that keeps its outline because it could not be parsed. */
export interface ParseFailed {
  readonly path: string;
  readonly failure: string;
}

/** A file that was parsed, but for a part of it. */
export interface MisreadFile {
  readonly path: string;
  /** Of its text, over 0. */
  readonly errorShare: number;
}

/** A file as the list of all files has it. */
export interface FileEntry {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly hash: string;
  /** As it was given: see `IndexedFile`. */
  readonly plainBy: number;
  /** The commit that wrote it last. A file that is written again gets a new id. */
  readonly generation: number;
}

/** What search loads of a file, as kernel/file.ts packed it. */
export interface PackedContent {
  readonly fileId: number;
  readonly terms: Uint8Array;
}

/** The facts of a file, as they were given. */
export interface PackedFacts {
  readonly fileId: number;
  readonly packed: Uint8Array;
}

/** The same of its vectors: `unpackVectors` reads them, `packedCount` counts them. */
export interface PackedVectors {
  readonly fileId: number;
  readonly model: string;
  readonly dimensions: number;
  readonly packed: Uint8Array;
}

/** Vectors that a service made of one file: one row for the file, then one per chunk. */
export interface EmbeddedFile {
  readonly fileId: number;
  readonly path: string;
  /** Digests of the texts of its chunks, in their order, all of one length. */
  readonly digests: readonly Uint8Array[];
  readonly vectors: FileVectors;
}

/** A file that waits for a service's vectors. */
export interface UnembeddedFile extends Pick<ManifestEntry, 'path' | 'hash' | 'analysis'> {
  readonly id: number;
  readonly chunks: number;
}

/** How far a model is with the files of an index. Files without chunks do not count. */
export interface EmbeddingState {
  /** Grows with every commit of vectors. */
  readonly stamp: number;
  readonly files: number;
  readonly embedded: number;
  /** Of the vectors of this model that are there. */
  readonly dimensions: number | undefined;
}

/** What search made of the rows of one commit, so that the next process need not. What is in it only search knows. */
export interface KeptView {
  readonly generation: number;
  readonly parts: readonly Uint8Array[];
}

/** What commits say of files, and how far they have been read. */
export interface KeptHistory {
  /** Names the way it was made; what was made in another way is made again. */
  readonly maker: string;
  /** Commits up to which everything has been read. */
  readonly tips: readonly string[];
  /** How many commits it is made of. */
  readonly commits: number;
  /** As `packHistory` gives it. */
  readonly packed: Uint8Array;
}

/** All that an index holds of a file. */
export interface WholeFile extends IndexedFile {
  /** Undefined for a file that was not parsed. */
  readonly parsed: { readonly note: ParseNote; readonly facts: Uint8Array | undefined } | undefined;
}

/** What the rows of a file were made of. */
export interface RowStamp extends ManifestEntry {
  /** Undefined for a file that was not parsed. */
  readonly parser: string | undefined;
  readonly failure: string | undefined;
}

export interface IndexStore {
  /** Whether each read is a round trip over a network. */
  readonly isDistant: boolean;
  /** Of every file, by path. */
  rowStamps(): Promise<readonly RowStamp[]>;
  /** All that is held of these files; one that is gone is left out. */
  wholeFiles(paths: readonly string[]): Promise<readonly WholeFile[]>;
  manifest(): Promise<readonly ManifestEntry[]>;
  /** All or nothing; readers see the last commit until this one is done. */
  commit(batch: IndexBatch): Promise<{ readonly generation: number }>;
  stats(): Promise<IndexStats>;
  skips(): Promise<readonly Skip[]>;
  /** Files that this parser has not read yet; with `retry` also those it failed at. */
  unparsed(parser: string, retry?: 'failed'): Promise<readonly UnparsedFile[]>;
  parseFailures(): Promise<readonly ParseFailed[]>;
  /** Files whose grammar could not read a part of them: syntax errors, or signs it does not know. */
  misread(): Promise<readonly MisreadFile[]>;
  definitionsOf(path: string): Promise<readonly Definition[]>;
  /** The same for several files, in their order; read when they are needed. */
  outlinesOf(paths: readonly string[]): Promise<readonly Outline[]>;
  /** The number of the last commit. Cheap: asked before every search. */
  generation(): Promise<number>;
  /** The same, and a number that grows when what commits say was read anew. As cheap. */
  stamps(): Promise<{ readonly generation: number; readonly history: number }>;
  history(): Promise<KeptHistory | undefined>;
  /** In place of what was there, without a new generation. */
  keepHistory(history: KeptHistory): Promise<void>;
  /** Every file, and the commit at which that was true. */
  files(): Promise<{ readonly generation: number; readonly files: readonly FileEntry[] }>;
  /** The content of these files; one that is gone meanwhile is left out. */
  contents(fileIds: readonly number[]): Promise<readonly PackedContent[]>;
  /** The facts of these files; one that is gone or has none is left out. */
  facts(fileIds: readonly number[]): Promise<readonly PackedFacts[]>;
  /** The vectors of these files; one that is gone or has none is left out. */
  vectors(fileIds: readonly number[]): Promise<readonly PackedVectors[]>;
  /** How many files have vectors of the fast pass by this model. */
  vectorState(model: string): Promise<Pick<EmbeddingState, 'files' | 'embedded'>>;
  /** How far a service's model is. */
  embeddingState(model: string): Promise<EmbeddingState>;
  /** Models of services that the index has vectors of. */
  embeddedModels(): Promise<readonly string[]>;
  /** Files with chunks that have no vectors of this model. */
  unembedded(model: string): Promise<readonly UnembeddedFile[]>;
  /** The vectors of these files by a service's model; a file without them is left out. */
  embeddings(model: string, fileIds: readonly number[]): Promise<readonly PackedVectors[]>;
  /** What is there of a path, though the file may have been written again since. */
  embeddingAt(model: string, path: string): Promise<EmbeddedFile | undefined>;
  /** Paths of which there is something, though they are files no more. */
  vanishedEmbeddings(model: string): Promise<readonly string[]>;
  /** All or nothing, without a new generation; a file that is no longer there is passed over. */
  commitEmbeddings(files: readonly EmbeddedFile[]): Promise<void>;
  /** Forgets the vectors of files that are gone, and those of every other service's model. */
  keepEmbeddingsOf(model: string): Promise<void>;
  /** The view that was kept last, if it is whole. It may be of an earlier commit. */
  keptView(): Promise<KeptView | undefined>;
  /** Keeps a view in place of the one before; false if another process is writing the index. */
  keepView(view: KeptView): Promise<boolean>;
  /** No view is kept any more. */
  forgetView(): Promise<void>;
  /** Trigrams of every file, by its id. */
  trigrams(): Promise<ReadonlyMap<number, Uint16Array>>;
  /** Whether the file and its tables are sound. */
  isSound(): Promise<boolean>;
  close(): Promise<void>;
}
