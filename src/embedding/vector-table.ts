/**
 * Many vectors, and how near each is to one question. All of them are looked at: below a million rows that is faster than
 * any index, and exact. Rows live in the memory of a small WebAssembly module; without SIMD the same sums are made in JavaScript.
 */
import { AppError } from '../core/index.ts';
import { openScanKernel, PAGE_BYTES, type ScanKernel } from '../kernel/index.ts';
import type { QuantizedVector } from './quantize.ts';

export interface VectorTable {
  readonly dimensions: number;
  readonly count: number;
  /** Row by row; written once, before the first scan. */
  set(row: number, vector: QuantizedVector): void;
  /** Some of the rows that are packed as values of all, then scales of all; `to`: where the first goes. */
  copyRows(to: number, packed: Uint8Array, rows: RowRange): void;
  /** The dot product of the question with every row, in the order of the rows, into `scores`. */
  scan(question: Float32Array, scores: Float32Array): void;
  /** The same for some rows, into the beginning of `scores`. */
  scanRows(question: Float32Array, rows: RowRange, scores: Float32Array): void;
  /** The same for several ranges, one behind the other: pairs of the first row and how many there are. */
  scanRanges(question: Float32Array, ranges: Uint32Array, scores: Float32Array): void;
}

export interface RowRange {
  readonly from: number;
  readonly count: number;
}

/** Makes the sums of `count` rows; both kinds give the same integers. */
interface Engine {
  /** Rows, each padded to `stride`. */
  readonly rows: Int8Array;
  readonly question: Int16Array;
  readonly sums: Int32Array;
  /** Sums of the rows from there on go to the beginning of `sums`. */
  run(from: number, count: number): void;
  /** Of at most `MOST_RANGES` pairs, and no more rows than there are. */
  runRanges(pairs: Uint32Array): void;
}

const LANES = 16;
const MOST_RANGES = 512;
const SCALE_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Sums of products must fit in 31 bits, whatever the dimensions. */
const LARGEST_SUM = 2 ** 31 - 1;
const LARGEST_BYTE = 127;

export function createVectorTable(dimensions: number, count: number, engine?: 'wasm' | 'plain'): VectorTable {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  const kernel = engine === 'plain' ? undefined : openScanKernel();
  if (kernel === undefined && engine === 'wasm')
    throw new AppError('runtime_too_old', 'This runtime has no WebAssembly SIMD.');
  const made = kernel === undefined ? plainEngine(stride, count) : wasmEngine(kernel, stride, count);
  const scales = new Float32Array(count);
  const scaleBytes = new Uint8Array(scales.buffer);
  const rowBytes = new Uint8Array(made.rows.buffer, made.rows.byteOffset, made.rows.length);
  const largestQuestion = Math.min(32_767, Math.floor(LARGEST_SUM / (LARGEST_BYTE * stride)));

  let asked: Float32Array | undefined;
  let step = 0;

  /** The same question is asked of many ranges in turn: it is made ready once. Callers do not change it meanwhile. */
  function ask(question: Float32Array): void {
    if (question === asked) return;
    requireDimensions(question.length, dimensions);
    let largest = 0;
    for (const value of question) largest = Math.max(largest, Math.abs(value));
    step = largest / largestQuestion;
    for (let d = 0; d < dimensions; d++)
      made.question[d] = step === 0 ? 0 : Math.round((question[d] ?? 0) / step);
    asked = question;
  }

  function scanRows(question: Float32Array, rows: RowRange, scores: Float32Array): void {
    ask(question);
    if (step === 0) {
      scores.fill(0, 0, rows.count);
      return;
    }
    made.run(rows.from, rows.count);
    const { sums } = made;
    for (let row = 0; row < rows.count; row++)
      scores[row] = (sums[row] ?? 0) * (scales[rows.from + row] ?? 0) * step;
  }

  function scanRanges(question: Float32Array, ranges: Uint32Array, scores: Float32Array): void {
    ask(question);
    const { sums } = made;
    let at = 0;
    for (let pair = 0; pair < ranges.length;) {
      // As many as fit: there is room for a sum of each row of the table.
      let end = pair;
      let size = 0;
      while (end < ranges.length && end - pair < 2 * MOST_RANGES) {
        const more = ranges[end + 1] ?? 0;
        if (size + more > count && size > 0) break;
        size += more;
        end += 2;
      }
      // An empty question has no step, and is as far from every row.
      if (step > 0) made.runRanges(ranges.subarray(pair, end));
      for (let place = 0; pair < end; pair += 2) {
        const from = ranges[pair] ?? 0;
        const behind = from + (ranges[pair + 1] ?? 0);
        for (let row = from; row < behind; row++)
          scores[at++] = step === 0 ? 0 : (sums[place++] ?? 0) * (scales[row] ?? 0) * step;
      }
    }
  }

  return {
    dimensions,
    count,
    scanRows,
    scanRanges,
    set(row, { values, scale }) {
      requireDimensions(values.length, dimensions);
      made.rows.set(values, row * stride);
      scales[row] = scale;
    },
    copyRows(to, packed, { from, count: size }) {
      const scalesAt = (packed.length / (dimensions + SCALE_BYTES)) * dimensions;
      if (stride === dimensions) {
        rowBytes.set(packed.subarray(from * dimensions, (from + size) * dimensions), to * stride);
      } else
        for (let row = 0; row < size; row++) {
          const at = (from + row) * dimensions;
          rowBytes.set(packed.subarray(at, at + dimensions), (to + row) * stride);
        }
      // Byte by byte: they need not lie where such numbers may begin.
      const at = scalesAt + from * SCALE_BYTES;
      scaleBytes.set(packed.subarray(at, at + size * SCALE_BYTES), to * SCALE_BYTES);
    },
    scan(question, scores) {
      // Callers of this one may use an array again.
      asked = undefined;
      scanRows(question, { from: 0, count }, scores);
      asked = undefined;
    },
  };
}

function requireDimensions(found: number, expected: number): void {
  if (found === expected) return;
  throw new AppError('internal', `A vector has ${found} dimensions where ${expected} are expected.`, {
    hint: 'The index was made with another model. Run `waymark index` again.',
  });
}

function plainEngine(stride: number, count: number): Engine {
  const rows = new Int8Array(stride * count);
  const question = new Int16Array(stride);
  const sums = new Int32Array(count);
  const sumRows = (from: number, size: number, to: number): void => {
    for (let row = 0, at = from * stride; row < size; row++) {
      let sum = 0;
      for (let d = 0; d < stride; d++, at++) sum += (rows[at] ?? 0) * (question[d] ?? 0);
      sums[to + row] = sum;
    }
  };
  return {
    rows,
    question,
    sums,
    run: (from, size) => sumRows(from, size, 0),
    runRanges(pairs) {
      for (let pair = 0, to = 0; pair < pairs.length; to += pairs[pair + 1] ?? 0, pair += 2)
        sumRows(pairs[pair] ?? 0, pairs[pair + 1] ?? 0, to);
    },
  };
}

function wasmEngine({ memory, scan, scanRanges }: ScanKernel, stride: number, count: number): Engine {
  const rangesAt = stride * 2;
  const rowsAt = rangesAt + 8 * MOST_RANGES;
  const sumsAt = rowsAt + stride * count;
  const missing = Math.ceil((sumsAt + count * 4) / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  const ranges = new Uint32Array(memory.buffer, rangesAt, 2 * MOST_RANGES);
  return {
    rows: new Int8Array(memory.buffer, rowsAt, stride * count),
    question: new Int16Array(memory.buffer, 0, stride),
    sums: new Int32Array(memory.buffer, sumsAt, count),
    run: (from, size) => scan(rowsAt + from * stride, size, stride, 0, sumsAt),
    runRanges(pairs) {
      ranges.set(pairs);
      scanRanges(rowsAt, rangesAt, pairs.length / 2, stride, 0, sumsAt);
    },
  };
}

/** A growing table of vectors, and how alike some of them are to a question. */
export interface DotTable {
  /** Rows have numbers from 0, in the order in which they are added. */
  add(vector: Float32Array): void;
  /** The dot product of the question with each of the first `count` numbered rows, in their order, into `out`. */
  dots(question: Float32Array, numbers: Uint32Array, count: number, out: Float32Array): void;
}

/** So many rows are looked at in one go by a dot table. */
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
      // By half of what there is: every growth invalidates the views of the memory.
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
