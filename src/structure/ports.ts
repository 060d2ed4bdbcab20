/** What structure needs of other rooms; the engine provides it. */
import type { ChangedFiles, Clock } from '../core/index.ts';
import type { IndexStore } from '../storage/index.ts';
import type { TextLines } from '../text/index.ts';

export interface StructureParts {
  readonly store: (root: string) => Promise<IndexStore>;
  /** A file as it is now, secrets taken out; nothing for one that is gone or must not be read. */
  readonly readText: (
    root: string,
    path: string,
    indexed?: { readonly hash: string; readonly plainBy: number },
  ) => { readonly lines: TextLines } | undefined;
  readonly compileGlobs: (globs: readonly string[]) => (path: string) => boolean;
  /** Paths that are not as in the last commit, or as where the work left a branch. */
  readonly changedFiles: (root: string, branch?: string) => Promise<ChangedFiles>;
  /** A small text file of the project, though git may ignore it. */
  readonly readConfig: (root: string, path: string) => string | undefined;
  /** Parses these files at once, unless they are too many or nothing may be parsed. Gives how many were parsed in the time. */
  readonly parse: (
    root: string,
    paths: readonly string[],
    options: { readonly signal: AbortSignal; readonly maxMs: number },
  ) => Promise<number>;
  /** How long an answer waits for that. */
  readonly waitMs: number;
  readonly clock: Clock;
}
