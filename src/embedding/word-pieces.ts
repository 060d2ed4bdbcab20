/** A word the model does not know becomes the cheapest row of pieces that it does know. */
import type { Vocabulary } from './vocabulary.ts';

const SHORTEST = 4;
const LONGEST = 40;
const SKIP_COST = 22;
const ONE_LETTER_COST = 8;
const TWO_LETTERS_COST = 3;
const RANK_OFFSET = 20;

/** Frequent pieces are cheap, short ones dear; a letter may be skipped at a price. Single letters are not worth emitting. */
export function splitIntoPieces(word: string, vocabulary: Vocabulary): number[] {
  const size = word.length;
  if (size < SHORTEST || size > LONGEST) return [];
  /** The cheapest way to each place: its cost, where its last step began, and the piece it took; -1 for a skipped letter. */
  const costs = new Float64Array(size + 1).fill(Infinity);
  const from = new Int32Array(size + 1);
  const pieces = new Int32Array(size + 1).fill(-1);
  costs[0] = 0;
  for (let start = 0; start < size; start++) {
    const cost = costs[start] ?? 0;
    // Of equal ways, the one that skips.
    if (cost + SKIP_COST <= (costs[start + 1] ?? 0)) {
      costs[start + 1] = cost + SKIP_COST;
      from[start + 1] = start;
      pieces[start + 1] = -1;
    }
    vocabulary.eachFrom(word, start, (rank, end) => {
      const through = cost + pieceCost(rank, end - start);
      if (through >= (costs[end] ?? 0)) return;
      costs[end] = through;
      from[end] = start;
      pieces[end] = rank;
    });
  }
  const found: number[] = [];
  for (let at = size; at > 0; at = from[at] ?? 0) {
    const piece = pieces[at] ?? -1;
    if (piece >= 0 && at - (from[at] ?? 0) >= 2) found.push(piece);
  }
  return found.reverse();
}

function pieceCost(rank: number, length: number): number {
  const short = length === 1 ? ONE_LETTER_COST : length === 2 ? TWO_LETTERS_COST : 0;
  return Math.log(rank + RANK_OFFSET) + short;
}
