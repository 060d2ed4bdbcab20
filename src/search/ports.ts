/** What search needs of other rooms; the engine provides it. */
import type { ChangedFiles, Clock, MemoryBudget } from '../core/index.ts';
import type { HttpEncoder, Reranker, StaticEncoder } from '../embedding/index.ts';
import type { IndexStore } from '../storage/index.ts';
import type { TextLines } from '../text/index.ts';

/** A file as it is on disk now, secrets taken out. */
export interface SourceText {
  readonly lines: TextLines;
  /** Digest of its bytes: what the index holds of a file with another one is of the past. */
  readonly hash: string;
  /** What its lines say is not here: they are empty, and none is shown. */
  readonly isHidden?: true;
}

/** What the index knows of a file: where it is still the same, that need not be found out again. */
export interface IndexedText {
  readonly hash: string;
  readonly plainBy: number;
}

/** What a file of this language is, to people. */
export type LanguageKind = 'code' | 'markup' | 'config' | 'doc';

/** How far a search for exact text goes. */
export interface MatchLimits {
  /** Files that are read. */
  readonly files: number;
  readonly linesPerFile: number;
  readonly chars: number;
  readonly readMs: number;
}

export interface MatchFilesInput {
  readonly root: string;
  /** In the order they are looked at, with what the index knows of them. */
  readonly files: readonly (IndexedText & { readonly path: string })[];
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly limits: MatchLimits;
}

export interface MatchedFile {
  readonly path: string;
  /** Digest of the file the lines were found in. */
  readonly hash: string;
  /** 1-based, ascending. */
  readonly lines: readonly number[];
}

export interface MatchOutcome {
  readonly found: readonly MatchedFile[];
  /** `all` files were looked at, or a limit was reached, or the expression takes too long. */
  readonly why: 'all' | 'limit' | 'slow';
}

/** Runs a client's expression in a place where it can be stopped; clients take turns. */
export type MatchFiles = (
  input: MatchFilesInput,
  call: { readonly signal: AbortSignal; readonly client?: string | undefined },
) => Promise<MatchOutcome>;

export interface SearchParts {
  readonly store: (root: string) => Promise<IndexStore>;
  /** Nothing for a file that is gone or must not be read. */
  readonly readText: (root: string, path: string, indexed?: IndexedText) => SourceText | undefined;
  readonly compileGlobs: (globs: readonly string[]) => (path: string) => boolean;
  readonly languageKind: (language: string) => LanguageKind | undefined;
  /** The languages a user means by a name or an ending; empty for an unknown one. */
  readonly languagesNamed: (name: string) => readonly string[];
  /** Paths that are not as in the last commit, or as where the work left a branch. */
  readonly changedFiles: (root: string, branch?: string) => Promise<ChangedFiles>;
  readonly matchFiles: MatchFiles;
  readonly encoder: () => StaticEncoder | undefined;
  /** A service whose vectors count more than those of the encoder, once they are there. */
  readonly remote?: HttpEncoder | undefined;
  /** A service that puts the first hits in order, if the user named one. */
  readonly reranker?: Reranker | undefined;
  readonly clock: Clock;
  /** What all projects in memory may take together. */
  readonly memory: MemoryBudget;
}
