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
  // Rows of all words that were asked for, one after the other; a word's first place, plus one, and behind its last.
  let list = new Uint32Array(16_384);
  let size = 0;
  let starts = new Uint32Array(16_384);
  let ends = new Uint32Array(16_384);
  // By the number of a row; all 0 between texts.
  const counts = new Uint32Array(encoder.rowCount);

  const lookUp = (word: number): number => {
    if (word >= starts.length) [starts, ends] = [enlarged(starts, word * 2), enlarged(ends, word * 2)];
    const rows = encoder.tokenIds(words.textOf(word));
    if (size + rows.length > list.length) list = enlarged(list, (size + rows.length) * 2);
    list.set(rows, size);
    starts[word] = size + 1;
    ends[word] = size += rows.length;
    return starts[word] ?? 0;
  };

  const add = (some: ArrayLike<number>, times: ArrayLike<number> | number, seen: number[]): void => {
    for (let at = 0; at < some.length; at++) {
      const word = some[at] ?? 0;
      const start = (starts[word] ?? 0) || lookUp(word);
      const end = ends[word] ?? 0;
      const count = typeof times === 'number' ? times : (times[at] ?? 0);
      for (let part = start - 1; part < end; part++) {
        const row = list[part] ?? 0;
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
      starts.fill(0);
      size = 0;
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

function enlarged(values: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room);
  larger.set(values);
  return larger;
}
