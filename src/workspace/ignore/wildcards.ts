/**
 * Wildcards of one pattern, compiled once and matched without recursion. On a mismatch only the last `*` and the last `**`
 * are moved on, which is enough because the leftmost way to reach a wildcard is the best one; so no pattern is exponential.
 */
import { parseCharClass } from './char-class.ts';

export interface Wildcards {
  /** Bytes as themselves; below zero one of the codes here, or a set. */
  readonly codes: readonly number[];
  readonly sets: readonly Uint8Array[];
}

/** Counts the steps of a whole listing, so that hostile rules times many files still ends. */
export interface StepBudget {
  left: number;
}

const ANY_ONE = -1;
const STAR = -2;
const STAR_STAR = -3;
/** A double star with its slash: nothing at all, or whole folders. */
const FOLDERS = -4;
const FIRST_SET = -5;
const SLASH = 0x2f;

export interface CompileOptions {
  /** In a path `*` and `?` stop at a slash and `**` does not; a name has no slash. */
  readonly subject: 'name' | 'path';
  readonly fold: boolean;
}

/** Undefined: git matches nothing with it (an open bracket, an unknown class, a lone backslash at the end). */
export function compileWildcards(glob: string, options: CompileOptions): Wildcards | undefined {
  const codes: number[] = [];
  const sets: Uint8Array[] = [];
  for (let at = 0; at < glob.length;) {
    const char = glob[at];
    if (char === '*') {
      const star = compileStar(glob, at, options.subject);
      codes.push(star.code);
      at = star.end;
    } else if (char === '?') {
      codes.push(ANY_ONE);
      at++;
    } else if (char === '[') {
      const found = parseCharClass(glob, at, options.fold);
      if (found === undefined) return undefined;
      found.table[SLASH] = 0;
      codes.push(FIRST_SET - sets.length);
      sets.push(found.table);
      at = found.end;
    } else {
      const isEscaped = char === '\\';
      if (isEscaped) at++;
      if (at >= glob.length) return undefined;
      // Git folds the pattern before it looks behind a backslash: an escaped capital then matches nothing.
      codes.push(literal(glob.charCodeAt(at), options.fold && !isEscaped));
      at++;
    }
  }
  return { codes, sets };
}

function literal(byte: number, fold: boolean): number {
  return fold && byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

function compileStar(glob: string, start: number, subject: 'name' | 'path'): { code: number; end: number } {
  let end = start + 1;
  while (glob[end] === '*') end++;
  const isAlone =
    (start === 0 || glob[start - 1] === '/') &&
    (end === glob.length || glob[end] === '/' || (glob[end] === '\\' && glob[end + 1] === '/'));
  // `a**b` is `a*b`.
  if (subject === 'name' || end - start === 1 || !isAlone) return { code: STAR, end };
  // Only a plain slash may vanish together with the stars.
  return glob[end] === '/' ? { code: FOLDERS, end: end + 1 } : { code: STAR_STAR, end };
}

/** Does the whole of `text` from `start` match? */
export function matchWildcards(
  { codes, sets }: Wildcards,
  text: string,
  { start, budget }: { readonly start: number; readonly budget: StepBudget },
): boolean {
  let at = start;
  let next = 0;
  let starNext = -1;
  let starAt = 0;
  let deepNext = -1;
  let deepAt = 0;
  let steps = 0;
  for (;;) {
    steps++;
    if (next < codes.length) {
      const code = codes[next] ?? 0;
      if (code === STAR) {
        starNext = ++next;
        starAt = at;
        continue;
      }
      if (code === STAR_STAR || code === FOLDERS) {
        deepNext = ++next;
        deepAt = at;
        starNext = -1;
        continue;
      }
      if (at < text.length && matchesOne(code, text.charCodeAt(at), sets)) {
        next++;
        at++;
        continue;
      }
    } else if (at === text.length) {
      break;
    }
    if (starNext !== -1 && starAt < text.length && text.charCodeAt(starAt) !== SLASH) {
      at = ++starAt;
      next = starNext;
      continue;
    }
    if (deepNext === -1) return spend(budget, steps, false);
    const moved = codes[deepNext - 1] === FOLDERS ? text.indexOf('/', deepAt) + 1 : deepAt + 1;
    if (moved === 0 || moved > text.length) return spend(budget, steps, false);
    at = deepAt = moved;
    next = deepNext;
    starNext = -1;
  }
  return spend(budget, steps, true);
}

function matchesOne(code: number, byte: number, sets: readonly Uint8Array[]): boolean {
  if (code >= 0) return code === byte;
  return code === ANY_ONE ? byte !== SLASH : sets[FIRST_SET - code]?.[byte] === 1;
}

function spend(budget: StepBudget, steps: number, answer: boolean): boolean {
  budget.left -= steps;
  return answer;
}
