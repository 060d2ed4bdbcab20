/** Text to a vector by the table alone: the weighted sum of its tokens' rows. No service, no key, microseconds. */
import { createRowSums } from './row-sums.ts';
import type { StaticModel } from './static-model.ts';
import { createPieceSplitter } from './word-pieces.ts';
import { isDigit, modelWords } from './words.ts';

export interface StaticEncoder {
  /** Changes when vectors of another model must not be compared with its own. */
  readonly id: string;
  readonly dimensions: number;
  /** How many rows its table has. */
  readonly rowCount: number;
  /** The rows that stand for a text, in order. */
  tokenIds(text: string): number[];
  /** Of unit length, or all zeros for a text without a known word. */
  encode(text: string): Float32Array;
  /** The same from rows that stand for a text, and how often each does. */
  encodeRows(rows: ArrayLike<number>, counts: ArrayLike<number>): Float32Array;
}

/** Code is made of few words: nearly all parts of its identifiers were seen before. */
const MOST_REMEMBERED = 20_000;

export function createStaticEncoder(model: StaticModel, id: string): StaticEncoder {
  const { dimensions, rows, scales, vocabulary } = model;
  const sumRows = createRowSums({ dimensions, count: scales.length, rows });

  const splitIntoPieces = createPieceSplitter(vocabulary);
  const remembered = new Map<string, readonly number[]>();

  const lookUp = (word: string): readonly number[] => {
    const known = vocabulary.rankOf(word);
    if (known >= 0) return [known];
    return isDigit(word) ? [] : splitIntoPieces(word);
  };
  const tokenIds = (text: string): number[] => {
    const ids: number[] = [];
    for (const word of modelWords(text)) {
      let found = remembered.get(word);
      if (found === undefined) {
        found = lookUp(word);
        if (remembered.size >= MOST_REMEMBERED) remembered.clear();
        remembered.set(word, found);
      }
      for (const id of found) ids.push(id);
    }
    return ids;
  };

  const encodeRows = (tokens: ArrayLike<number>, counts: ArrayLike<number>): Float32Array => {
    const weights = new Float32Array(tokens.length);
    for (let at = 0; at < tokens.length; at++)
      weights[at] = (1 + Math.log(counts[at] ?? 1)) * (scales[tokens[at] ?? 0] ?? 0);
    return normalize(sumRows(tokens, weights));
  };

  return {
    id,
    dimensions,
    rowCount: scales.length,
    tokenIds,
    encodeRows,
    encode(text) {
      const counts = new Map<number, number>();
      for (const token of tokenIds(text)) counts.set(token, (counts.get(token) ?? 0) + 1);
      return encodeRows([...counts.keys()], [...counts.values()]);
    },
  };
}

/** In place; a vector of zeros stays one. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let d = 0; d < vector.length; d++) sum += (vector[d] ?? 0) ** 2;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) * factor;
  return vector;
}
