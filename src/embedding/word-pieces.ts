/** A word the model does not know becomes the cheapest row of pieces that it does know. */

const SHORTEST = 4;
const LONGEST = 40;
const SKIP_COST = 22;
const ONE_LETTER_COST = 8;
const TWO_LETTERS_COST = 3;
const RANK_OFFSET = 20;

/** Frequent pieces are cheap, short ones dear; a letter may be skipped at a price. Single letters are not worth emitting. */
export function splitIntoPieces(word: string, ids: ReadonlyMap<string, number>): number[] {
  if (word.length < SHORTEST || word.length > LONGEST) return [];
  const best: Step[] = [{ cost: 0, from: -1, id: -1 }];
  for (let end = 1; end <= word.length; end++) {
    let step: Step = { cost: (best[end - 1]?.cost ?? 0) + SKIP_COST, from: end - 1, id: -1 };
    for (let start = 0; start < end; start++) {
      const id = ids.get(word.slice(start, end));
      if (id === undefined) continue;
      const cost = (best[start]?.cost ?? 0) + pieceCost(id, end - start);
      if (cost < step.cost) step = { cost, from: start, id };
    }
    best.push(step);
  }
  const pieces: number[] = [];
  for (let at = word.length; at > 0;) {
    const step = best[at];
    if (step === undefined) break;
    if (step.id >= 0 && at - step.from >= 2) pieces.push(step.id);
    at = step.from;
  }
  return pieces.reverse();
}

interface Step {
  readonly cost: number;
  readonly from: number;
  /** The piece that ends here; -1 when a letter was skipped. */
  readonly id: number;
}

function pieceCost(rank: number, length: number): number {
  const short = length === 1 ? ONE_LETTER_COST : length === 2 ? TWO_LETTERS_COST : 0;
  return Math.log(rank + RANK_OFFSET) + short;
}
