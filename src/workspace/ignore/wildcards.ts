/**
 * Wildcards of one pattern, compiled once and matched without recursion. On a mismatch only the last `*` and the last `**`
 * are moved on, which is enough because the leftmost way to reach a wildcard is the best one; so no pattern is exponential.
 */

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

export interface CharClass {
  /** Index of the character after the closing bracket. */
  readonly end: number;
  /** 1 for each byte that matches. */
  readonly table: Uint8Array;
}

const isUpper = (byte: number): boolean => byte >= 65 && byte <= 90;
const isLower = (byte: number): boolean => byte >= 97 && byte <= 122;
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isAlpha = (byte: number): boolean => isUpper(byte) || isLower(byte);
/** Git's own table: no form feed, no vertical tab. */
const isSpace = (byte: number): boolean => byte === 32 || byte === 9 || byte === 10 || byte === 13;
const isPrint = (byte: number): boolean => byte >= 32 && byte <= 126;

const NAMED: Readonly<Record<string, (byte: number, fold: boolean) => boolean>> = {
  alnum: (byte) => isAlpha(byte) || isDigit(byte),
  alpha: isAlpha,
  blank: (byte) => byte === 32 || byte === 9,
  cntrl: (byte) => byte < 32 || byte === 127,
  digit: isDigit,
  graph: (byte) => isPrint(byte) && !isSpace(byte),
  lower: isLower,
  print: isPrint,
  punct: (byte) => isPrint(byte) && byte !== 32 && !isAlpha(byte) && !isDigit(byte),
  space: isSpace,
  upper: (byte, fold) => isUpper(byte) || (fold && isLower(byte)),
  xdigit: (byte) => isDigit(byte) || (byte >= 65 && byte <= 70) || (byte >= 97 && byte <= 102),
};

/** `start` is the index of the opening bracket. Undefined: malformed, and then git matches nothing with the pattern. */
export function parseCharClass(glob: string, start: number, fold: boolean): CharClass | undefined {
  const table = new Uint8Array(256);
  let at = start + 1;
  const negated = glob[at] === '!' || glob[at] === '^';
  if (negated) at++;
  let previous = 0;
  // The first character stands for itself, even a closing bracket.
  for (let first = true; first || glob[at] !== ']'; first = false) {
    const part = parsePart(glob, at, previous);
    if (part === undefined) return undefined;
    part.fill(table, fold);
    previous = part.previous;
    at = part.end;
  }
  if (negated) for (let byte = 0; byte < 256; byte++) table[byte] = table[byte] === 1 ? 0 : 1;
  return { end: at + 1, table };
}

interface Part {
  readonly end: number;
  /** What a following `-` starts from; 0 where it stands for itself. */
  readonly previous: number;
  fill(table: Uint8Array, fold: boolean): void;
}

function parsePart(glob: string, at: number, previous: number): Part | undefined {
  if (at >= glob.length) return undefined;
  const char = glob[at];
  if (char === '\\') return at + 1 < glob.length ? single(glob.charCodeAt(at + 1), at + 2) : undefined;
  if (char === '-' && previous > 0 && at + 1 < glob.length && glob[at + 1] !== ']') {
    const last = glob[at + 1] === '\\' ? at + 2 : at + 1;
    return last < glob.length ? range(previous, glob.charCodeAt(last), last + 1) : undefined;
  }
  if (char === '[' && glob[at + 1] === ':') return parseNamed(glob, at);
  return single(glob.charCodeAt(at), at + 1);
}

function parseNamed(glob: string, at: number): Part | undefined {
  const close = glob.indexOf(']', at + 2);
  if (close === -1) return undefined;
  // No `:]`: the bracket is an ordinary member of the set.
  if (close - at < 3 || glob[close - 1] !== ':') return single(0x5b, at + 1);
  const name = glob.slice(at + 2, close - 1);
  const matches = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (matches === undefined) return undefined;
  return {
    end: close + 1,
    previous: 0,
    fill(table, fold) {
      for (let byte = 1; byte < 256; byte++) if (matches(byte, fold)) table[byte] = 1;
    },
  };
}

/** Under folding the text is lower case already and git leaves a single member as it is: `[A]` then matches nothing. */
function single(byte: number, end: number): Part {
  return {
    end,
    previous: byte,
    fill(table) {
      table[byte] = 1;
    },
  };
}

function range(from: number, to: number, end: number): Part {
  return {
    end,
    previous: 0,
    fill(table, fold) {
      for (let byte = from; byte <= to; byte++) {
        table[byte] = 1;
        if (fold && isUpper(byte)) table[byte + 32] = 1;
      }
    },
  };
}
