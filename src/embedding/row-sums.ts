/** Weighted sums of rows of a model's table, by the kernel or by the same steps in JavaScript: the same numbers either way. */
import { openKernel, PAGE_BYTES, type Kernel } from './kernel.ts';

export interface TableRows {
  readonly dimensions: number;
  readonly count: number;
  readonly rows: Int8Array;
}

/** Adds up as many of the numbered rows as there are weights, in their order. */
export type RowSums = (numbers: ArrayLike<number>, weights: Float32Array) => Float32Array;

const LANES = 16;
/** More different words than a chunk has; further ones are added up in another round. */
const ROOM = 4096;

export function createRowSums(table: TableRows, engine?: 'plain'): RowSums {
  const kernel = engine === 'plain' || table.dimensions % LANES !== 0 ? undefined : openKernel();
  return kernel === undefined ? plainSums(table) : kernelSums(table, kernel);
}

function plainSums({ dimensions, rows }: TableRows): RowSums {
  return (numbers, weights) => {
    const vector = new Float32Array(dimensions);
    for (let from = 0; from < weights.length; from += ROOM) {
      const part = new Float32Array(dimensions);
      for (let at = from; at < Math.min(weights.length, from + ROOM); at++) {
        const first = (numbers[at] ?? 0) * dimensions;
        const weight = weights[at] ?? 0;
        for (let d = 0; d < dimensions; d++)
          part[d] = (part[d] ?? 0) + Math.fround(weight * (rows[first + d] ?? 0));
      }
      addTo(vector, part);
    }
    return vector;
  };
}

function kernelSums({ dimensions, rows, count }: TableRows, { memory, sum }: Kernel): RowSums {
  const weightsAt = ROOM * 4;
  const vectorAt = weightsAt + ROOM * 4;
  const rowsAt = vectorAt + dimensions * 4;
  memory.grow(Math.ceil((rowsAt + count * dimensions) / PAGE_BYTES));
  new Int8Array(memory.buffer, rowsAt, rows.length).set(rows);
  const numbersIn = new Uint32Array(memory.buffer, 0, ROOM);
  const weightsIn = new Float32Array(memory.buffer, weightsAt, ROOM);
  const part = new Float32Array(memory.buffer, vectorAt, dimensions);
  return (numbers, weights) => {
    const vector = new Float32Array(dimensions);
    for (let from = 0; from < weights.length; from += ROOM) {
      const size = Math.min(ROOM, weights.length - from);
      for (let at = 0; at < size; at++) numbersIn[at] = numbers[from + at] ?? 0;
      weightsIn.set(weights.subarray(from, from + size));
      sum(rowsAt, dimensions, 0, weightsAt, size, vectorAt);
      addTo(vector, part);
    }
    return vector;
  };
}

function addTo(vector: Float32Array, part: Float32Array): void {
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) + (part[d] ?? 0);
}
