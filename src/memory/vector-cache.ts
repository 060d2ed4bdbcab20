/** The vectors of one memory, kept between searches and brought up to date by what was saved since. */
import type { MemoryStore } from '../storage/index.ts';
import { similarity } from './encoder.ts';

export interface NearVector {
  readonly seq: number;
  readonly cosine: number;
}

export interface VectorCache {
  nearest(store: MemoryStore, vector: Int8Array, limit: number): Promise<readonly NearVector[]>;
  /** Of an entry that was there at the last search; undefined if it has no vector. */
  cosine(seq: number, vector: Int8Array): number | undefined;
}

export function createVectorCache(): VectorCache {
  const rows = new Map<number, Int8Array>();
  let mark = 0;
  return {
    async nearest(store, vector, limit) {
      const fresh = await store.vectorsAfter(mark);
      // A lower mark means another file: it was restored or salvaged.
      if (fresh.mark < mark) {
        rows.clear();
        mark = 0;
        return this.nearest(store, vector, limit);
      }
      mark = fresh.mark;
      for (const row of fresh.rows) rows.set(row.seq, row.vector);
      return best(rows, vector, limit);
    },
    cosine(seq, vector) {
      const row = rows.get(seq);
      return row === undefined ? undefined : similarity(vector, row);
    },
  };
}

function best(rows: ReadonlyMap<number, Int8Array>, vector: Int8Array, limit: number): readonly NearVector[] {
  const found: NearVector[] = [];
  let least = 0;
  for (const [seq, row] of rows) {
    const cosine = similarity(vector, row);
    if (cosine <= least) continue;
    found.push({ seq, cosine });
    if (found.length < 2 * limit) continue;
    found.sort((a, b) => b.cosine - a.cosine).splice(limit);
    least = found.at(-1)?.cosine ?? 0;
  }
  return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
}
