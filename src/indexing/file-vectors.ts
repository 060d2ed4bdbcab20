/** A file's vectors: one for its path, one for itself, one per chunk. */
import { normalize, quantize, type StaticEncoder } from '../embedding/index.ts';
import type { FileVectors } from '../storage/index.ts';
import type { CodeWords, PathWords, WordCounts } from '../text/index.ts';

export interface VectorMaker {
  /** Of a file whose chunks' words are numbers of the maker's `CodeWords`. */
  vectors(chunks: readonly WordCounts[], place: PathWords): FileVectors;
  /** Words have other numbers from now on. */
  forget(): void;
}

/** One for many files: the rows of the model that stand for a word are looked up once. */
export function createVectorMaker(words: CodeWords, encoder: StaticEncoder): VectorMaker {
  const { dimensions } = encoder;
  let known: (readonly number[] | undefined)[] = [];
  // By the number of a row; all 0 between texts.
  const counts = new Uint32Array(encoder.rowCount);
  const rowsOf = (word: number): readonly number[] => (known[word] ??= encoder.tokenIds(words.textOf(word)));

  const add = (some: ArrayLike<number>, times: ArrayLike<number> | number, seen: number[]): void => {
    for (let at = 0; at < some.length; at++) {
      const rows = rowsOf(some[at] ?? 0);
      const count = typeof times === 'number' ? times : (times[at] ?? 0);
      for (let part = 0; part < rows.length; part++) {
        const row = rows[part] ?? 0;
        const before = counts[row] ?? 0;
        if (before === 0) seen.push(row);
        counts[row] = before + count;
      }
    }
  };
  const take = (seen: readonly number[]): Float32Array => {
    const taken = new Uint32Array(seen.length);
    for (let at = 0; at < seen.length; at++) {
      const row = seen[at] ?? 0;
      taken[at] = counts[row] ?? 0;
      counts[row] = 0;
    }
    return encoder.encodeRows(seen, taken);
  };

  return {
    forget() {
      known = [];
    },
    vectors(chunks, { stem, folder, folders }) {
      // Where a file is counts twice in each of its parts.
      const own = words.read(`${folder} ${stem}`);
      const whole = new Float32Array(dimensions);
      const parts = chunks.map((chunk) => {
        const seen: number[] = [];
        add(own, 2, seen);
        add(chunk.words, chunk.counts, seen);
        const vector = take(seen);
        for (let d = 0; d < dimensions; d++) whole[d] = (whole[d] ?? 0) + (vector[d] ?? 0);
        return vector;
      });
      const path = encoder.encode([...folders.slice(-2), stem].join(' '));
      const rows = new Int8Array((parts.length + 2) * dimensions);
      const scales = new Float32Array(parts.length + 2);
      [path, normalize(whole), ...parts].forEach((vector, row) => {
        const { values, scale } = quantize(vector);
        rows.set(values, row * dimensions);
        scales[row] = scale;
      });
      return { model: encoder.id, dimensions, rows, scales };
    },
  };
}
