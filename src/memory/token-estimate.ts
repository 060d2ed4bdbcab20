/** How many tokens a text costs a model: an estimate that errs upwards, so that a limit kept by it is kept. Pure. */
const PIECE = /[A-Za-z]+|\d{1,3}|\n+|[ \t]{2,}|[^\sA-Za-z\d]/gu;
const LETTERS_PER_TOKEN = 4;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += pieceTokens(piece);
  return tokens;
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
  const first = piece.charCodeAt(0);
  if (first > 0x7f) return piece.length > 1 ? 3 : 2;
  return /[A-Za-z]/.test(piece) ? Math.ceil(piece.length / LETTERS_PER_TOKEN) : 1;
}

function trimToBreak(text: string): string {
  const line = text.lastIndexOf('\n');
  if (line > text.length * 0.8) return text.slice(0, line);
  const blank = text.lastIndexOf(' ');
  return blank > text.length * 0.8 ? text.slice(0, blank) : text;
}
