/** Texts that code holds in quotes, and that a pasted text holds too: a message is printed by the code that spells it. Pure. */

const LITERAL = /"((?:[^"\\]|\\.){8,300})"|'((?:[^'\\]|\\.){8,300})'|`((?:[^`\\]|\\.){8,300})`/g;
const QUOTE = /["'`]/;
/** What is filled in when it is printed, in one language or another. */
const HOLE = /%[-+ #0-9.*]*[a-zA-Z]|[$#]?\{[^}]*\}|\\[nrt"'\\]|<[^>]*>|\$\w+/g;
const SHORTEST = 10;
const OF_TWO_WORDS = /[a-z]{3}[^a-z]+[a-z]{2}/;
const MOST_LINE_CHARS = 1_000;

/** A word of a piece that neither begins nor ends it, so that the text must hold it as a word. */
const INNER_WORD = /[^a-z]([a-z]+)[^a-z]/;

/** The pieces of a line's literals that the text holds; the text is in lower case, with single blanks. Its words are asked first: most pieces end there. */
export function literalsIn(
  line: string,
  plainText: string,
  plainWords?: ReadonlySet<string>,
): readonly string[] {
  if (!QUOTE.test(line)) return [];
  const isThere = (piece: string): boolean => {
    const inner = plainWords === undefined ? undefined : INNER_WORD.exec(piece)?.[1];
    return (inner === undefined || plainWords?.has(inner) === true) && plainText.includes(piece);
  };
  return [...line.slice(0, MOST_LINE_CHARS).matchAll(LITERAL)].flatMap(([, double, single, back]) =>
    (double ?? single ?? back ?? '')
      .split(HOLE)
      .map((piece) => piece.toLowerCase().replaceAll(/\s+/g, ' ').trim())
      .filter((piece) => piece.length >= SHORTEST && OF_TWO_WORDS.test(piece) && isThere(piece)),
  );
}
