/** Globs as one question about a path. */
import { AppError } from '../../core/index.ts';
import { foldAscii, toByteText } from './byte-text.ts';
import { expandGlob } from './globs.ts';
import { compilePattern, matchPattern, type Pattern, type Subject } from './pattern.ts';

/** Hostile globs times many files would keep everybody waiting: about a tenth of a second's work. */
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

/** Folders may be called `[slug]`, and whoever copies a path means it as it is; a set of letters is meant as well. */
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
