/** How many tokens a text costs a model: an estimate that errs upwards, so that a limit kept by it is kept. Pure. */
const PIECE =
  /(?=[\w+/=-]{0,23}\d[\w+/=-]{0,23}\d)[\w+/=-]{24,64}|[A-Za-z]+|\d{1,3}|\n+|[ \t]{2,}|[^\sA-Za-z\d]/gu;
/** Keys and digests have no words to be short by. */
const PACKED_CHARS = 24;
const PER_PACKED_CHAR = 0.72;
const LETTERS_PER_TOKEN = 4;
/** Words of no language: five consonants in a row, case that changes to and fro, no end. */
const NO_WORD = /[bcdfghjklmnpqrstvwxz]{5}|[a-z][A-Z][^]*[a-z][A-Z][^]*[a-z][A-Z]|[A-Za-z]{21}/;
const PER_STRANGE_LETTER = 0.65;
/** Shown as an escape, such as `\u{e0041}`. */
const HIDDEN = 7;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += pieceTokens(piece);
  return Math.ceil(tokens);
}

export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The beginning of a text that costs at most this much, cut at a line or a word where one is near. */
export function cutToTokens(text: string, most: number): CutText {
  let tokens = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    tokens += pieceTokens(piece);
    if (tokens > most) return { text: trimToBreak(text.slice(0, index)), isCut: true };
  }
  return { text, isCut: false };
}

function pieceTokens(piece: string): number {
  const first = piece.codePointAt(0) ?? 0;
  if (first > 0x7e || first < 0x09) return foreignTokens(first);
  if (piece.length >= PACKED_CHARS && /\d/.test(piece)) return piece.length * PER_PACKED_CHAR;
  if (!/[A-Za-z]/.test(piece)) return first >= 0x20 || first <= 0x0a ? 1 : HIDDEN;
  return NO_WORD.test(piece)
    ? Math.ceil(piece.length * PER_STRANGE_LETTER)
    : Math.ceil(piece.length / LETTERS_PER_TOKEN);
}

/** Measured with o200k_base, on random letters of each script: real text costs less. */
const COSTS: readonly (readonly [upTo: number, cost: number])[] = [
  [0x08, HIDDEN],
  [0x9f, HIDDEN],
  [0x7ff, 2],
  [0x8ff, 3],
  [0x10ff, 2.1],
  [0x1fff, 3],
  // Dashes, quotes and spaces of print, and what hides among them.
  [0x200a, 2],
  [0x200f, HIDDEN],
  [0x2027, 2],
  [0x202e, HIDDEN],
  [0x205f, 2],
  [0x206f, HIDDEN],
  [0x2fff, 3],
  [0x30ff, 2],
  [0x33ff, 3],
  [0x9fff, 2.2],
  [0xabff, 3],
  [0xd7ff, 2.5],
  [0xdfff, HIDDEN],
  [0xfefe, 3],
  [0xfeff, HIDDEN],
  [0xffff, 3],
  [0xdffff, 4],
  [0xe00ff, HIDDEN],
];

function foreignTokens(point: number): number {
  return COSTS.find(([upTo]) => point <= upTo)?.[1] ?? 4;
}

function trimToBreak(text: string): string {
  const line = text.lastIndexOf('\n');
  if (line > text.length * 0.8) return text.slice(0, line);
  const blank = text.lastIndexOf(' ');
  return blank > text.length * 0.8 ? text.slice(0, blank) : text;
}
