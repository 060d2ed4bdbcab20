/** Texts that code holds in quotes, and that a pasted text holds too: a message is printed by the code that spells it. Pure. */

const LITERAL = /"((?:[^"\\]|\\.){8,300})"|'((?:[^'\\]|\\.){8,300})'|`((?:[^`\\]|\\.){8,300})`/g;
const QUOTE = /["'`]/;
/** What is filled in when it is printed, in one language or another. */
const HOLE = /%[-+ #0-9.*]*[a-zA-Z]|[$#]?\{[^}]*\}|\\[nrt"'\\]|<[^>]*>|\$\w+/g;
const SHORTEST = 10;
const OF_TWO_WORDS = /[a-z]{3}[^a-z]+[a-z]{2}/;
const MOST_LINE_CHARS = 1_000;

/** The pieces of a line's literals that the text holds; the text is in lower case, with single blanks. */
export function literalsIn(line: string, plainText: string): readonly string[] {
  if (!QUOTE.test(line)) return [];
  return [...line.slice(0, MOST_LINE_CHARS).matchAll(LITERAL)].flatMap(([, double, single, back]) =>
    (double ?? single ?? back ?? '')
      .split(HOLE)
      .map((piece) => piece.toLowerCase().replaceAll(/\s+/g, ' ').trim())
      .filter((piece) => piece.length >= SHORTEST && OF_TWO_WORDS.test(piece) && plainText.includes(piece)),
  );
}
