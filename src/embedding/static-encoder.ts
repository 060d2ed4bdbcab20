/** Text to a vector by the table alone: the weighted sum of its tokens' rows. No service, no key, microseconds. */
import { createRowSums } from './row-sums.ts';
import type { StaticModel } from './static-model.ts';
import { splitIntoPieces } from './word-pieces.ts';
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

export function createStaticEncoder(model: StaticModel, id: string): StaticEncoder {
  const { dimensions, rows, scales, vocabulary } = model;
  const sumRows = createRowSums({ dimensions, count: scales.length, rows });

  const idsOf = (word: string): readonly number[] => {
    const known = vocabulary.rankOf(word);
    if (known >= 0) return [known];
    return isDigit(word) ? [] : splitIntoPieces(word, vocabulary);
  };
  const tokenIds = (text: string): number[] => modelWords(text).flatMap(idsOf);

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
