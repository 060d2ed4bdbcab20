/** One line of a rule file as a compiled pattern. The cases and their order are those of git's dir.c. */
import { compileWildcards, matchWildcards, type StepBudget, type Wildcards } from './wildcards.ts';

/** A path has at most 4,096 bytes; a longer pattern is no accident. */
export const MAX_PATTERN_BYTES = 4096;

/** A path as patterns look at it. Byte text; `path` is relative to where the pattern was written. */
export interface Subject {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

export interface Pattern {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly test: PatternTest;
}

export type PatternTest =
  | { readonly kind: 'never' }
  /** The name is exactly this. */
  | { readonly kind: 'name'; readonly text: string }
  /** `*.log`: the name ends so. */
  | { readonly kind: 'ending'; readonly text: string }
  /** The path is exactly this. */
  | { readonly kind: 'path'; readonly text: string }
  | {
      readonly kind: 'wild';
      readonly subject: 'name' | 'path';
      readonly prefix: string;
      readonly rest: Wildcards;
    };

const SPECIAL = /[*?[\\]/;
const NEVER = { kind: 'never' } as const;

/** `line` has its end, comment and trailing spaces removed. */
export function compilePattern(line: string, options: { readonly fold: boolean }): Pattern {
  const negated = line.startsWith('!');
  const written = negated ? line.slice(1) : line;
  const foldersOnly = written.endsWith('/');
  const glob = foldersOnly ? written.slice(0, -1) : written;
  const test = glob.includes('/') ? compilePath(glob, options.fold) : compileName(glob, options.fold);
  return { negated, foldersOnly, test };
}

function compileName(glob: string, fold: boolean): PatternTest {
  if (glob === '') return NEVER;
  const special = glob.search(SPECIAL);
  if (special === -1) return { kind: 'name', text: fold ? foldAscii(glob) : glob };
  if (special === 0 && glob.startsWith('*') && !SPECIAL.test(glob.slice(1))) {
    return { kind: 'ending', text: fold ? foldAscii(glob.slice(1)) : glob.slice(1) };
  }
  return compileWild(glob, special, { subject: 'name', fold });
}

function compilePath(glob: string, fold: boolean): PatternTest {
  // A leading slash only says that the pattern is a path.
  const path = glob.startsWith('/') ? glob.slice(1) : glob;
  const special = path.search(SPECIAL);
  if (special === -1) return path === '' ? NEVER : { kind: 'path', text: fold ? foldAscii(path) : path };
  return compileWild(path, special, { subject: 'path', fold });
}

/**
 * The text before the first special character is compared as it is and the rest compiled as if it stood alone. That is
 * git's way and can be seen: two stars, a slash and `b` after an `a` cross slashes, as if they stood at a start.
 */
function compileWild(
  glob: string,
  special: number,
  options: { readonly subject: 'name' | 'path'; readonly fold: boolean },
): PatternTest {
  const rest = compileWildcards(glob.slice(special), options);
  if (rest === undefined) return NEVER;
  const prefix = glob.slice(0, special);
  return {
    kind: 'wild',
    subject: options.subject,
    prefix: options.fold ? foldAscii(prefix) : prefix,
    rest,
  };
}

export function matchPattern(pattern: Pattern, subject: Subject, budget: StepBudget): boolean {
  if (pattern.foldersOnly && !subject.isFolder) return false;
  const { test } = pattern;
  switch (test.kind) {
    case 'never':
      return false;
    case 'name':
      return subject.name === test.text;
    case 'ending':
      return subject.name.endsWith(test.text);
    case 'path':
      return subject.path === test.text;
    case 'wild': {
      const text = test.subject === 'name' ? subject.name : subject.path;
      return (
        text.startsWith(test.prefix) && matchWildcards(test.rest, text, { start: test.prefix.length, budget })
      );
    }
  }
}

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Text as git sees it: one character per byte. Git matches bytes, so `?` is half of an `é`; a string of bytes keeps that exact, costs
 * nothing for ASCII, and holds rule files that are not valid UTF-8.
 */
export function toByteText(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

export function fromByteText(bytes: string): string {
  return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** Git folds ASCII only, whatever the locale. */
export function foldAscii(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
