/** Text to a vector by the table alone: the weighted sum of its tokens' rows. No service, no key, microseconds. */
import type { StaticModel } from './static-model.ts';
import { splitIntoPieces } from './word-pieces.ts';
import { isDigit, modelWords } from './words.ts';

export interface StaticEncoder {
  /** Changes when vectors of another model must not be compared with its own. */
  readonly id: string;
  readonly dimensions: number;
  /** The rows that stand for a text, in order. */
  tokenIds(text: string): number[];
  /** Of unit length, or all zeros for a text without a known word. Words of `place` count twice. */
  encode(text: string, place?: string): Float32Array;
}

/** Code repeats its words: nearly every one is looked up here. Emptied when full. */
const MOST_CACHED_WORDS = 100_000;

export function createStaticEncoder(model: StaticModel, id: string): StaticEncoder {
  const cache = new Map<string, readonly number[]>();
  const { dimensions, rows, scales } = model;
  // Reused between calls, which never wait, so never overlap.
  const counts = new Uint32Array(scales.length);

  const idsOf = (word: string): readonly number[] => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const known = model.ids.get(word);
    const ids = known !== undefined ? [known] : isDigit(word) ? [] : splitIntoPieces(word, model.ids);
    if (cache.size >= MOST_CACHED_WORDS) cache.clear();
    // A text of its own: a piece of a text would keep all of that in memory.
    cache.set(` ${word}`.slice(1), ids);
    return ids;
  };

  const count = (text: string, weight: number, seen: number[]): void => {
    for (const word of modelWords(text)) {
      for (const token of idsOf(word)) {
        if (counts[token] === 0) seen.push(token);
        counts[token] = (counts[token] ?? 0) + weight;
      }
    }
  };

  return {
    id,
    dimensions,
    tokenIds: (text) => modelWords(text).flatMap(idsOf),
    encode(text, place = '') {
      const seen: number[] = [];
      count(place, 2, seen);
      count(text, 1, seen);
      const vector = new Float32Array(dimensions);
      for (const token of seen) {
        const weight = (1 + Math.log(counts[token] ?? 1)) * (scales[token] ?? 0);
        counts[token] = 0;
        const at = token * dimensions;
        for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] ?? 0) + weight * (rows[at + d] ?? 0);
      }
      return normalize(vector);
    },
  };
}

/** In place; a vector of zeros stays one. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const factor = 1 / Math.sqrt(sum);
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) * factor;
  return vector;
}
