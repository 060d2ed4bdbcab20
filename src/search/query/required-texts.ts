/** Pieces of text that every match of a regular expression must hold. Pure; says too little rather than too much. */

const SPECIAL = /[\\^$.*+?()[\]{}|]/;
const SHORTEST = 3;
/** How many characters follow the backslash, for those with more than one. */
const ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 3, u: 5, c: 2 };

/** Empty when nothing is certain: then every file is looked at. */
export function requiredTexts(source: string): string[] {
  // An alternative, a group or a class may make anything before it optional; only plain runs at the top level are certain.
  if (source.includes('|') || source.includes('(') || source.includes('\\u{')) return [];
  const pieces: string[] = [];
  let piece = '';
  const end = (): void => {
    if (piece.length >= SHORTEST) pieces.push(piece);
    piece = '';
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    const next = source[at + 1] ?? '';
    if (char === '\\') {
      // An escaped sign stands for itself; an escaped letter or digit for many things.
      if (/[^A-Za-z0-9]/.test(next) && !isOptional(source[at + 2])) piece += next;
      else end();
      // What belongs to the escape is no text: the figures of `\x41`, the letter of `\cJ`.
      at += ESCAPE_LENGTHS[next] ?? 1;
    } else if (char === '[') {
      end();
      const close = endOfClass(source, at);
      if (close < 0) return [];
      at = close;
    } else if (char === '{') {
      end();
      const close = source.indexOf('}', at);
      if (close < 0) return [];
      at = close;
    } else if (SPECIAL.test(char)) end();
    else if (isOptional(next)) end();
    else piece += char;
  }
  end();
  return pieces;
}

/** Where a class ends that begins here; `\]` is in it. -1 if it never does. */
function endOfClass(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at;
  }
  return -1;
}

function isOptional(char: string | undefined): boolean {
  return char === '?' || char === '*' || char === '{' || char === '+';
}
