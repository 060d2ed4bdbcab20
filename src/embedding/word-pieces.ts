/** A word the model does not know becomes the cheapest row of pieces that it does know. */
import type { Vocabulary } from './vocabulary.ts';

const SHORTEST = 4;
const LONGEST = 40;
const SKIP_COST = 22;
const ONE_LETTER_COST = 8;
const TWO_LETTERS_COST = 3;
const RANK_OFFSET = 20;

/** Frequent pieces are cheap, short ones dear; a letter may be skipped at a price. Single letters are not worth emitting. */
export function createPieceSplitter(vocabulary: Vocabulary): (word: string) => number[] {
  /** The cheapest way to each place: its cost, where its last step began, and the piece it took; -1 for a skipped letter. */
  const costs = new Float64Array(LONGEST + 1);
  const from = new Int32Array(LONGEST + 1);
  const pieces = new Int32Array(LONGEST + 1);
  let begin = 0;
  const step = (rank: number, end: number): void => {
    const through = (costs[begin] ?? 0) + pieceCost(rank, end - begin);
    if (through >= (costs[end] ?? 0)) return;
    costs[end] = through;
    from[end] = begin;
    pieces[end] = rank;
  };
  return (word) => {
    const size = word.length;
    if (size < SHORTEST || size > LONGEST) return [];
    costs.fill(Infinity);
    costs[0] = 0;
    for (begin = 0; begin < size; begin++) {
      const skipped = (costs[begin] ?? 0) + SKIP_COST;
      // Of equal ways, the one that skips.
      if (skipped <= (costs[begin + 1] ?? 0)) {
        costs[begin + 1] = skipped;
        from[begin + 1] = begin;
        pieces[begin + 1] = -1;
      }
      vocabulary.eachFrom(word, begin, step);
    }
    const found: number[] = [];
    for (let at = size; at > 0; at = from[at] ?? 0) {
      const piece = pieces[at] ?? -1;
      if (piece >= 0 && at - (from[at] ?? 0) >= 2) found.push(piece);
    }
    return found.reverse();
  };
}

function pieceCost(rank: number, length: number): number {
  const short = length === 1 ? ONE_LETTER_COST : length === 2 ? TWO_LETTERS_COST : 0;
  return Math.log(rank + RANK_OFFSET) + short;
}
