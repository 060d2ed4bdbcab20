/** What a listing is asked for, with its defaults, and what it needs along the way. */
import { compileGlobs, type Glob } from '../ignore/globs.ts';
import { readOutsideRules, type OutsideRules } from '../ignore/outside-rules.ts';
import type { Disk } from '../reading/read-source.ts';
import type { StepBudget } from '../ignore/wildcards.ts';

export interface ListOptions {
  /** Only files that match one of these, or lie in a folder that does. Empty: every file. Syntax of ignore files, and `{a,b}`. */
  readonly include?: readonly string[];
  /** Wins over everything else. */
  readonly exclude?: readonly string[];
  /** The language of a file by its name, if it is none of those that are wanted. */
  readonly otherLanguage?: ((name: string) => string | undefined) | undefined;
  /** A name without the secret that it holds; undefined if it holds none. What has such a name is left out. */
  readonly nameWithoutSecret?: ((name: string) => string | undefined) | undefined;
  readonly maxFileBytes?: number;
  /** How long the listing works before it yields a batch. */
  readonly sliceMs?: number;
  readonly maxFiles?: number;
  /** Folders below the root. */
  readonly maxDepth?: number;
  /** Steps of matching rules; beyond them the listing ends: hostile rules could take for ever. */
  readonly maxRuleSteps?: number;
  /** The user's global excludes: `findGlobalExcludes`. */
  readonly globalExcludes?: string | undefined;
  /** The repository's common git directory, where `.git` is a file (a worktree, a submodule). */
  readonly gitDir?: string | undefined;
  /** Rules above the root count as far as this shows them. */
  readonly disk?: Disk | undefined;
  /**
   * The common git directory of a folder below the root that holds a `.git` and is a repository of its own; undefined if it
   * only claims to be one. Without this, folders below the root are taken for parts of the repository around them.
   */
  readonly gitDirOf?: (absFolder: string) => string | undefined;
}

const DEFAULTS = {
  maxFileBytes: 1024 * 1024,
  maxFiles: 200_000,
  maxDepth: 256,
  // Some seconds. Ordinary rules need under a hundred steps a file.
  maxRuleSteps: 1_000_000_000,
} as const;
/** Entries of any kind, for each file that is allowed: what is skipped costs time and memory as well. */
const ENTRIES_PER_FILE = 5;

export interface ListContext {
  readonly root: string;
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
  readonly otherLanguage: ListOptions['otherLanguage'];
  readonly nameWithoutSecret: ListOptions['nameWithoutSecret'];
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  readonly maxEntries: number;
  readonly maxDepth: number;
  readonly outside: OutsideRules;
  readonly gitDirOf: ListOptions['gitDirOf'];
  readonly budget: StepBudget;
}

export function createListContext(root: string, options: ListOptions): ListContext {
  const outside = readOutsideRules({
    root,
    globalExcludes: options.globalExcludes,
    gitDir: options.gitDir,
    disk: options.disk,
  });
  const maxFiles = options.maxFiles ?? DEFAULTS.maxFiles;
  return {
    root,
    include: compileGlobs(options.include ?? [], outside.fold),
    exclude: compileGlobs(options.exclude ?? [], outside.fold),
    otherLanguage: options.otherLanguage,
    nameWithoutSecret: options.nameWithoutSecret,
    maxFileBytes: options.maxFileBytes ?? DEFAULTS.maxFileBytes,
    maxFiles,
    maxEntries: maxFiles * ENTRIES_PER_FILE,
    maxDepth: options.maxDepth ?? DEFAULTS.maxDepth,
    outside,
    gitDirOf: options.gitDirOf,
    budget: { left: options.maxRuleSteps ?? DEFAULTS.maxRuleSteps },
  };
}
