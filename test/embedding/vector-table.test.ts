import { expect, it } from 'vitest';
import { assembleKernel } from '../../scripts/assemble-kernel.mjs';
import { createVectorTable, normalize, quantize } from '../../src/embedding/index.ts';
import { SCAN_WASM } from '../../src/embedding/scan-wasm.ts';

/** The same numbers every time. */
function* noise(): Generator<number, never> {
  for (let state = 42; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 30 - 1;
  }
}

const values = noise();
const vector = (dimensions: number): Float32Array =>
  normalize(Float32Array.from({ length: dimensions }, () => values.next().value));

it.each([16, 100, 128, 768, 1536])(
  'sums the same in WebAssembly and in JavaScript, %i dimensions',
  (dimensions) => {
    const rows = Array.from({ length: 300 }, () => vector(dimensions));
    const question = vector(dimensions);
    const scored = (['wasm', 'plain'] as const).map((engine) => {
      const table = createVectorTable(dimensions, rows.length, engine);
      rows.forEach((row, at) => table.set(at, quantize(row)));
      const scores = new Float32Array(rows.length);
      table.scan(question, scores);
      return scores;
    });
    expect(scored[0]).toEqual(scored[1]);
    rows.forEach((row, at) => {
      const exact = row.reduce((sum, value, d) => sum + value * (question[d] ?? 0), 0);
      expect(Math.abs((scored[0]?.[at] ?? 9) - exact)).toBeLessThan(0.01);
    });
  },
);

it('refuses rows and questions of other dimensions, and answers zeros to an empty question', () => {
  const table = createVectorTable(128, 1);
  expect(() => table.set(0, quantize(new Float32Array(64)))).toThrow(/64 dimensions where 128/);
  expect(() => table.scan(new Float32Array(64), new Float32Array(1))).toThrow(/64 dimensions where 128/);
  const scores = new Float32Array([7]);
  table.scan(new Float32Array(128), scores);
  expect(scores[0]).toBe(0);
});

it('ships the kernel that its source gives', async () => {
  expect(SCAN_WASM).toBe(await assembleKernel());
});
