import { expect, it } from 'vitest';
import { createRowSums } from '../../src/embedding/row-sums.ts';

function table(dimensions: number, count: number) {
  const rows = Int8Array.from({ length: dimensions * count }, (_, at) => ((at * 2_654_435_761) >>> 7) % 256);
  return { dimensions, count, rows };
}

it.each([
  [128, 1],
  [128, 137],
  [16, 4_096],
  [16, 10_000],
])('kernel and plain code give the same sums: %i dimensions, %i rows', (dimensions, size) => {
  const model = table(dimensions, 500);
  const numbers = Array.from({ length: size }, (_, at) => (1 + at * 7919) % 500);
  const weights = Float32Array.from(numbers, (number) => Math.sin(number) / 3);
  const sums = createRowSums(model)(numbers, weights);
  expect(sums).toEqual(createRowSums(model, 'plain')(numbers, weights));
  expect(sums.some((value) => value !== 0)).toBe(true);
});

it('adds up dimensions that the kernel cannot take', () => {
  const sums = createRowSums({ dimensions: 3, count: 2, rows: Int8Array.of(1, 2, 3, -4, 5, 6) });
  expect(sums([1, 0], Float32Array.of(0.5, 2))).toEqual(Float32Array.of(0, 6.5, 9));
  expect(sums([], new Float32Array(0))).toEqual(new Float32Array(3));
});
