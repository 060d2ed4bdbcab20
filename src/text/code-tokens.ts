/** What code costs a model, closely and hardly ever too low: 1.2 times the truth in the middle of the files we measured. Pure. */
const PIECE = /[A-Za-z0-9+/_-]{60,}|[A-Za-z]+|\d{1,3}|\n[ \t]*|[ \t]{2,}|[!-/:-@[-`{-~]+|[^\s!-~]/gu;
const SHORT_WORD = 5;
const LETTERS_PER_TOKEN = 4;
const PER_SIGN = 0.6;
const PER_DATA_CHAR = 1;
const PER_FOREIGN_CHAR = 1.4;
const PER_PAIR = 3;

export function estimateCodeTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += costOf(piece);
  return Math.ceil(tokens);
}

function costOf(piece: string): number {
  const first = piece.charCodeAt(0);
  if (first > 0x7e) return piece.length > 1 ? PER_PAIR : PER_FOREIGN_CHAR;
  // Keys, digests and packed data have no words to be short by.
  if (piece.length >= 60 && /\d/.test(piece)) return piece.length * PER_DATA_CHAR;
  if (/[A-Za-z]/.test(piece))
    return piece.length <= SHORT_WORD ? 1 : 1 + (piece.length - SHORT_WORD) / LETTERS_PER_TOKEN;
  return /[\d\s]/.test(piece) ? 1 : Math.max(1, piece.length * PER_SIGN);
}
