/** Pieces of text that every match of a regular expression must hold. Pure; says too little rather than too much. */

const SPECIAL = /[\\^$.*+?()[\]{}|]/;
const SHORTEST = 3;

/** Empty when nothing is certain: then every file is looked at. */
export function requiredTexts(source: string): string[] {
  // An alternative, a group or a class may make anything before it optional; only plain runs at the top level are certain.
  if (source.includes('|') || source.includes('(')) return [];
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
      at += 1;
    } else if (char === '[') {
      end();
      const close = source.indexOf(']', at + 2);
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

function isOptional(char: string | undefined): boolean {
  return char === '?' || char === '*' || char === '{' || char === '+';
}
