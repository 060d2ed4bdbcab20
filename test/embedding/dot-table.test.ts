import { expect, test } from 'vitest';
import { createDotTable } from '../../src/embedding/index.ts';

const DIMENSIONS = 128;

function vector(seed: number, dimensions = DIMENSIONS): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, d) => Math.sin(seed * 31.7 + d * 1.3));
}

function dotsOf(
  rows: number,
  numbers: readonly number[],
  engine?: 'plain',
  dimensions = DIMENSIONS,
): number[] {
  const table = createDotTable(dimensions, engine);
  for (let row = 0; row < rows; row++) table.add(vector(row, dimensions));
  const out = new Float32Array(numbers.length);
  table.dots(vector(-1, dimensions), Uint32Array.from(numbers), numbers.length, out);
  return [...out];
}

test('the kernel and plain JavaScript give the same numbers, to the last bit', () => {
  const numbers = Array.from({ length: 2_500 }, (_, at) => (at * 7) % 1_000);
  expect(dotsOf(1_000, numbers)).toEqual(dotsOf(1_000, numbers, 'plain'));
});

test('they are the dot products of the rows that were named, in that order', () => {
  const question = vector(-1);
  const expected = [3, 0, 3, 9].map((row) =>
    vector(row).reduce((sum, value, d) => sum + value * (question[d] ?? 0), 0),
  );
  dotsOf(10, [3, 0, 3, 9]).forEach((dot, at) => expect(dot).toBeCloseTo(expected[at] ?? 0, 4));
});

test('rows that are added later count, however many there were', () => {
  const table = createDotTable(DIMENSIONS);
  const out = new Float32Array(1);
  const last: number[] = [];
  for (let row = 0; row < 3_000; row++) {
    table.add(vector(row));
    table.dots(vector(-1), Uint32Array.of(row), 1, out);
    last.push(out[0] ?? 0);
  }
  expect(last).toEqual(
    dotsOf(
      3_000,
      Array.from({ length: 3_000 }, (_, row) => row),
      'plain',
    ),
  );
});

test('another number of dimensions than the kernel takes is counted in JavaScript', () => {
  expect(dotsOf(5, [4, 1], undefined, 10)).toEqual(dotsOf(5, [4, 1], 'plain', 10));
});
