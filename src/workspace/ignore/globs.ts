/** The globs of the configuration: the syntax of ignore files, and `{a,b}` besides. */
import { AppError, once } from '../../core/index.ts';
import {
  compilePattern,
  foldAscii,
  matchPattern,
  MAX_PATTERN_BYTES,
  type Pattern,
  type Subject,
  toByteText,
} from './pattern.ts';
import type { StepBudget } from './wildcards.ts';

export interface Glob {
  /** As the user wrote it. */
  readonly written: string;
  readonly pattern: Pattern;
  /** Folders that the pattern names outright, each with what must match up to it: `a/*` and `build` of `a/*` `/build/**`. */
  readonly named: readonly { readonly name: string; readonly upTo: () => Pattern }[];
  /** The folders before the first wildcard; undefined if the pattern may match anywhere. */
  readonly anchor: string | undefined;
}

const MAX_ALTERNATIVES = 64;

export function compileGlobs(globs: readonly string[], fold: boolean): readonly Glob[] {
  return globs.flatMap((written) =>
    expandGlob(written).map((text) => compileGlob(written, toByteText(text), fold)),
  );
}

/** As ignore files would write it: without `./` and braces. */
export function expandGlob(written: string): readonly string[] {
  if (written.length > MAX_PATTERN_BYTES)
    throw new AppError('bad_argument', `A pattern of files has ${written.length} characters.`, {
      hint: `Use one of at most ${MAX_PATTERN_BYTES}: no path is longer.`,
    });
  return expandBraces(written.replace(/^(!?)\.\//, '$1/'));
}

function compileGlob(written: string, text: string, fold: boolean): Glob {
  const pattern = compilePattern(text, { fold });
  const body = text.replace(/^!/, '').replace(/^\/|\/$/g, '');
  const parts = body.split('/');
  const isLiteral = (part: string): boolean => !/[*?[\\]/.test(part);
  const named = parts.flatMap((part, index) => {
    if (!isLiteral(part)) return [];
    const slash = parts.length > 1 || /^!?\//.test(text) ? '/' : '';
    // Of a pattern with a thousand folders, all of these would be a million.
    const upTo = once(() => compilePattern(`${slash}${parts.slice(0, index + 1).join('/')}`, { fold }));
    return [{ name: fold ? foldAscii(part) : part, upTo }];
  });
  const isAnchored =
    pattern.test.kind === 'path' || (pattern.test.kind === 'wild' && pattern.test.subject === 'path');
  const firstWild = parts.findIndex((part) => !isLiteral(part));
  const before = parts.slice(0, firstWild === -1 ? parts.length : firstWild).join('/');
  return { written, pattern, named, anchor: isAnchored ? (fold ? foldAscii(before) : before) : undefined };
}

/** The glob that decides about this path; a later one wins over an earlier one, and `!` takes back. */
export function findGlob(globs: readonly Glob[], subject: Subject, budget: StepBudget): Glob | undefined {
  const found = globs.findLast(({ pattern }) => matchPattern(pattern, subject, budget));
  return found === undefined || found.pattern.negated ? undefined : found;
}

/** Does a glob name this very folder, rather than reach it by wildcards? */
export function namesFolder(globs: readonly Glob[], subject: Subject, budget: StepBudget): boolean {
  return globs.some(
    ({ pattern, named }) =>
      !pattern.negated &&
      named.some(({ name, upTo }) => name === subject.name && matchPattern(upTo(), subject, budget)),
  );
}

/** Could one of the globs match something inside this folder? */
export function mayMatchInside(globs: readonly Glob[], folder: string): boolean {
  return globs.some(
    ({ anchor, pattern }) =>
      !pattern.negated &&
      (anchor === undefined || anchor === '' || isWithin(anchor, folder) || isWithin(folder, anchor)),
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** `*.{ts,tsx}` → `*.ts`, `*.tsx`. Too many alternatives, or none: the text is taken as it is. */
function expandBraces(text: string): readonly string[] {
  let open = [text];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length <= MAX_ALTERNATIVES) {
    const next: string[] = [];
    for (const one of open) {
      const group = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (group === null) done.push(one);
      else {
        const [whole, inside = ''] = group;
        const end = group.index + whole.length;
        for (const choice of inside.split(','))
          next.push(one.slice(0, group.index) + choice + one.slice(end));
      }
    }
    open = next;
  }
  return open.length > 0 ? [text] : done;
}

/** Limits hostile globs over many files to about a tenth of a second of work. */
const MOST_STEPS = 20_000_000;
/** What a pattern costs that fails at its first character. */
const STEPS_PER_TRY = 8;
const MOST_PATTERNS = 512;

/**
 * Whether any of them matches a file, in any case of letters; a folder's name matches all that is in it, at any depth.
 * Throws when the work gets too much: an answer that leaves out files in silence would be a wrong one.
 */
export function createGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  const direct = compileAll(globs);
  const inside = compileAll(globs.map(insideOf));
  if (direct.length + inside.length > MOST_PATTERNS) throw tooMuch();
  const budget = { left: MOST_STEPS };
  /** The last one that matches wins, and `!` takes back. */
  const lastMatch = (patterns: readonly OneOfGlobs[], subject: Subject): OneOfGlobs | undefined =>
    patterns.findLast(({ pattern }) => {
      budget.left -= STEPS_PER_TRY;
      if (budget.left < 0) throw tooMuch();
      return matchPattern(pattern, subject, budget);
    });
  /** What a folder's files have in common is worked out once. */
  const folders = new Map<string, OneOfGlobs | undefined>();
  const lastAround = (folder: string): OneOfGlobs | undefined => {
    if (!folders.has(folder))
      folders.set(
        folder,
        lastMatch(inside, { path: `${folder}${ANY_NAME}`, name: ANY_NAME, isFolder: false }),
      );
    return folders.get(folder);
  };
  return (path) => {
    const folded = foldAscii(toByteText(path));
    const nameAt = folded.lastIndexOf('/') + 1;
    const around = nameAt === 0 ? undefined : lastAround(folded.slice(0, nameAt));
    const itself = lastMatch(direct, { path: folded, name: folded.slice(nameAt), isFolder: false });
    const last = (itself?.glob ?? -1) >= (around?.glob ?? -1) ? itself : around;
    return last !== undefined && !last.pattern.negated;
  };
}

/** A pattern that ends in `/**` does not look at the name of a file. */
const ANY_NAME = 'x';

interface OneOfGlobs {
  /** Its place among all. */
  readonly glob: number;
  readonly pattern: Pattern;
}

/** Folders may be called `[slug]`, and a copied path means just that; a set of letters is meant as well. */
function asWritten(glob: string): readonly string[] {
  return /(?<!\\)\[/.test(glob) ? [glob.replaceAll(/(?<!\\)[[\]]/g, '\\$&')] : [];
}

function compileAll(globs: readonly string[]): readonly OneOfGlobs[] {
  const compiled: OneOfGlobs[] = [];
  for (const [glob, written] of globs.entries())
    for (const one of [written, ...asWritten(written)].flatMap((form) => expandGlob(form))) {
      if (compiled.length >= MOST_PATTERNS) throw tooMuch();
      compiled.push({ glob, pattern: compilePattern(toByteText(one), { fold: true }) });
    }
  return compiled;
}

function insideOf(glob: string): string {
  const folder = glob.replace(/\/+$/, '');
  return folder.includes('/') ? `${folder}/**` : `**/${folder}/**`;
}

function tooMuch(): AppError {
  return new AppError('bad_argument', 'These patterns take too long to try on this many files.', {
    hint: 'Use fewer or simpler ones: `src/**` stands for everything in a folder, `*.ts` for an ending.',
  });
}
