/**
 * The vectors of one memory, kept between searches and brought up to date by what was saved since. The rows of the table are the only
 * copy in this process, with room for more: a save between two searches adds a row and makes nothing anew.
 */
import { createVectorTable, type VectorTable } from '../embedding/index.ts';
import type { MemoryStore } from '../storage/index.ts';

export interface NearVector {
  readonly seq: number;
  readonly cosine: number;
}

/** What is near to one question. */
export interface Nearness {
  readonly nearest: readonly NearVector[];
  /** Of an entry that was there when it was asked; undefined if it has no vector. */
  cosine(seq: number): number | undefined;
}

export type VectorSource = Pick<MemoryStore, 'vectorsAfter'>;

export interface VectorCache {
  ask(store: VectorSource, vector: Int8Array, limit: number): Promise<Nearness>;
}

interface Rows {
  readonly table: VectorTable;
  readonly seqs: number[];
  readonly rowOf: Map<number, number>;
}

const SCALE = 1 / 127;
const LEAST_ROWS = 256;
/** How much larger a table is than what it was made for. */
const ROOM = 1.25;

export function createVectorCache(): VectorCache {
  let mark = 0;
  let rows: Rows | undefined;
  let scores = new Float32Array(0);
  let first: Promise<Rows | undefined> | undefined;

  async function refresh(store: VectorSource, dimensions: number): Promise<Rows | undefined> {
    for (;;) {
      const from = rows?.table.dimensions === dimensions ? mark : 0;
      const fresh = await store.vectorsAfter(from);
      // Another question brought the rows up to date meanwhile, or began anew.
      if (from > 0 && from !== mark) continue;
      // One of another length was made by another model, or is damaged: it is compared with nothing.
      const fitting = fresh.rows.filter(({ vector }) => vector.length === dimensions);
      if (from === 0) rows = fitting.length === 0 ? undefined : makeRows(dimensions, fitting.length);
      if (rows === undefined) return undefined;
      const { table, seqs, rowOf } = rows;
      const added = fitting.reduce((count, { seq }) => count + (rowOf.has(seq) ? 0 : 1), 0);
      // A lower mark means another file: it was restored or salvaged.
      if (fresh.mark < from || seqs.length + added > table.count) {
        [mark, rows] = [0, undefined];
        continue;
      }
      for (const { seq, vector } of fitting) {
        const row = rowOf.get(seq) ?? seqs.push(seq) - 1;
        rowOf.set(seq, row);
        table.set(row, { values: vector, scale: SCALE });
      }
      mark = fresh.mark;
      return rows;
    }
  }

  /** All rows are read once, however many ask at the start; each then reads what was saved since. */
  async function current(store: VectorSource, dimensions: number): Promise<Rows | undefined> {
    await first?.catch(() => {});
    if (rows !== undefined) return refresh(store, dimensions);
    first = refresh(store, dimensions).finally(() => (first = undefined));
    return first;
  }

  return {
    async ask(store, vector, limit) {
      const found = await current(store, vector.length);
      if (found === undefined) return { nearest: [], cosine: () => undefined };
      const { table, seqs, rowOf } = found;
      const question = Float32Array.from(vector, (value) => value * SCALE);
      if (scores.length < table.count) scores = new Float32Array(table.count);
      table.scanRows(question, { from: 0, count: seqs.length }, scores);
      const one = new Float32Array(1);
      return {
        nearest: best(seqs, scores, limit),
        cosine(seq) {
          const row = rowOf.get(seq);
          if (row === undefined) return undefined;
          table.scanRows(question, { from: row, count: 1 }, one);
          return one[0];
        },
      };
    },
  };
}

function makeRows(dimensions: number, count: number): Rows {
  const table = createVectorTable(dimensions, Math.max(LEAST_ROWS, Math.ceil(count * ROOM)));
  return { table, seqs: [], rowOf: new Map() };
}

function best(seqs: readonly number[], scores: Float32Array, limit: number): readonly NearVector[] {
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
