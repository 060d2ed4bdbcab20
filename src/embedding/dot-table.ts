/** A growing table of vectors, and how alike some of them are to a question, by the kernel or by the same steps in JavaScript. */
import { openScanKernel, PAGE_BYTES, type ScanKernel } from '../kernel/index.ts';

export interface DotTable {
  /** Rows have numbers from 0, in the order in which they are added. */
  add(vector: Float32Array): void;
  /** The dot product of the question with each of the first `count` numbered rows, in their order, into `out`. */
  dots(question: Float32Array, numbers: Uint32Array, count: number, out: Float32Array): void;
}

const LANES = 16;
/** So many rows are looked at in one go. */
const ROOM = 1024;

export function createDotTable(dimensions: number, engine?: 'plain'): DotTable {
  const kernel = engine === 'plain' || dimensions % LANES !== 0 ? undefined : openScanKernel();
  return kernel === undefined ? plainTable(dimensions) : kernelTable(dimensions, kernel);
}

function plainTable(dimensions: number): DotTable {
  const rows: Float32Array[] = [];
  const sums = new Float32Array(8);
  const dot = (row: Float32Array, question: Float32Array): number => {
    sums.fill(0);
    for (let d = 0; d < dimensions; d++)
      sums[d % 8] = (sums[d % 8] ?? 0) + Math.fround((row[d] ?? 0) * (question[d] ?? 0));
    for (let lane = 0; lane < 4; lane++) sums[lane] = (sums[lane] ?? 0) + (sums[lane + 4] ?? 0);
    const [a = 0, b = 0, c = 0, d = 0] = sums;
    return Math.fround(Math.fround(a + b) + Math.fround(c + d));
  };
  return {
    add: (vector) => void rows.push(vector.slice()),
    dots(question, numbers, count, out) {
      for (let at = 0; at < count; at++) {
        const row = rows[numbers[at] ?? 0];
        if (row !== undefined) out[at] = dot(row, question);
      }
    },
  };
}

function kernelTable(dimensions: number, { memory, dots }: ScanKernel): DotTable {
  const numbersAt = dimensions * 4;
  const outAt = numbersAt + ROOM * 4;
  const rowsAt = outAt + ROOM * 4;
  let rows = 0;
  return {
    add(vector) {
      const at = rowsAt + rows * dimensions * 4;
      const { byteLength } = memory.buffer;
      // By half of what there is: each time, everybody who looks into it has to look anew.
      if (at + dimensions * 4 > byteLength)
        memory.grow(Math.ceil((rowsAt + dimensions * 4 + byteLength / 2) / PAGE_BYTES));
      new Float32Array(memory.buffer, at, dimensions).set(vector);
      rows += 1;
    },
    dots(question, numbers, count, out) {
      new Float32Array(memory.buffer, 0, dimensions).set(question);
      const numbersIn = new Uint32Array(memory.buffer, numbersAt, ROOM);
      const made = new Float32Array(memory.buffer, outAt, ROOM);
      for (let from = 0; from < count; from += ROOM) {
        const size = Math.min(ROOM, count - from);
        numbersIn.set(numbers.subarray(from, from + size));
        dots(rowsAt, dimensions, numbersAt, size, 0, outAt);
        out.set(made.subarray(0, size), from);
      }
    },
  };
}
