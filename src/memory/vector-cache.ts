/** The vectors of one memory, kept between searches and brought up to date by what was saved since. */
import { createVectorTable, type VectorTable } from '../embedding/index.ts';
import type { MemoryStore } from '../storage/index.ts';
import { similarity } from './entry-keys.ts';

export interface NearVector {
  readonly seq: number;
  readonly cosine: number;
}

export interface VectorCache {
  nearest(store: MemoryStore, vector: Int8Array, limit: number): Promise<readonly NearVector[]>;
  /** Of an entry that was there at the last search; undefined if it has no vector. */
  cosine(seq: number, vector: Int8Array): number | undefined;
}

interface Scan {
  readonly table: VectorTable;
  readonly seqs: readonly number[];
  readonly scores: Float32Array;
}

export function createVectorCache(): VectorCache {
  const rows = new Map<number, Int8Array>();
  let mark = 0;
  let scan: Scan | undefined;
  return {
    async nearest(store, vector, limit) {
      const fresh = await store.vectorsAfter(mark);
      // A lower mark means another file: it was restored or salvaged.
      if (fresh.mark < mark) {
        rows.clear();
        [mark, scan] = [0, undefined];
        return this.nearest(store, vector, limit);
      }
      mark = fresh.mark;
      // One of another length was made by another model, or is damaged: it is compared with nothing.
      for (const row of fresh.rows) if (row.vector.length === vector.length) rows.set(row.seq, row.vector);
      if (fresh.rows.length > 0) scan = undefined;
      if (rows.size === 0) return [];
      scan ??= createScan(rows, vector.length);
      return best(scan, vector, limit);
    },
    cosine(seq, vector) {
      const row = rows.get(seq);
      return row === undefined ? undefined : similarity(vector, row);
    },
  };
}

function createScan(rows: ReadonlyMap<number, Int8Array>, dimensions: number): Scan {
  const table = createVectorTable(dimensions, rows.size);
  const seqs: number[] = [];
  for (const [seq, values] of rows) {
    table.set(seqs.length, { values, scale: 1 / 127 });
    seqs.push(seq);
  }
  return { table, seqs, scores: new Float32Array(rows.size) };
}

function best({ table, seqs, scores }: Scan, vector: Int8Array, limit: number): readonly NearVector[] {
  table.scan(
    Float32Array.from(vector, (value) => value / 127),
    scores,
  );
  const found: NearVector[] = [];
  let least = 0;
  for (let row = 0; row < seqs.length; row++) {
    const cosine = scores[row] ?? 0;
    if (cosine <= least) continue;
    found.push({ seq: seqs[row] ?? 0, cosine });
    if (found.length < 2 * limit) continue;
    found.sort((a, b) => b.cosine - a.cosine).splice(limit);
    least = found.at(-1)?.cosine ?? 0;
  }
  return found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
}
