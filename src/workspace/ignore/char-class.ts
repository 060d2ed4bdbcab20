/** `[a-z]`, `[!x]`, `[[:alpha:]]`: parsed with git's order of cases, which decides the odd ones (`[]-a]`, `[a-]`). */

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
