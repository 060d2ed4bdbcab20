import { expect, it } from 'vitest';
import { createVectorTable, normalize, quantize } from '../../src/embedding/index.ts';

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

it.each(['wasm', 'plain'] as const)('sums of some rows are those of all rows, %s', (engine) => {
  for (const dimensions of [100, 128]) {
    const quantized = Array.from({ length: 50 }, () => quantize(vector(dimensions)));
    const question = vector(dimensions);
    const [one, many] = [1, 2].map(() => createVectorTable(dimensions, 50, engine));
    if (one === undefined || many === undefined) throw new Error('two tables were made');
    quantized.forEach((row, at) => one.set(at, row));
    const scales = Float32Array.from(quantized.map(({ scale }) => scale));
    const packed = new Uint8Array([
      ...Int8Array.from(quantized.flatMap(({ values: row }) => [...row])),
      ...new Uint8Array(scales.buffer),
    ]);
    many.copyRows(0, packed, { from: 0, count: 20 });
    many.copyRows(20, packed, { from: 20, count: 30 });
    const [all, some, others] = [50, 50, 7].map((count) => new Float32Array(count));
    if (all === undefined || some === undefined || others === undefined) throw new Error('three were made');
    one.scan(question, all);
    many.scanRows(question, { from: 0, count: 50 }, some);
    many.scanRows(question, { from: 43, count: 7 }, others);

    expect(some).toEqual(all);
    expect(others).toEqual(all.subarray(43));
    // Another question is another one, and the first is not remembered for it.
    many.scanRows(
      question.map((value) => -value),
      { from: 43, count: 7 },
      others,
    );
    expect(others).toEqual(all.subarray(43).map((value) => -value));
  }
});

it('looks at several ranges at once, however many they are', () => {
  for (const engine of ['wasm', 'plain'] as const) {
    const table = createVectorTable(128, 3_000, engine);
    for (let row = 0; row < 3_000; row++) table.set(row, quantize(vector(128)));
    const question = vector(128);
    const all = new Float32Array(3_000);
    table.scan(question, all);
    // More ranges than fit at once, some of them empty, and one of all rows.
    const pairs = [
      ...Array.from({ length: 700 }, (_, at): [number, number] => [(at * 37) % 2_990, at % 9]),
      [0, 3_000] as const,
      [2_999, 1] as const,
    ];
    const expected = pairs.flatMap(([from, count]) => [...all.subarray(from, from + count)]);
    const scores = new Float32Array(expected.length);
    table.scanRanges(question, Uint32Array.from(pairs.flat()), scores);
    expect([...scores]).toEqual(expected);
    table.scanRanges(new Float32Array(128), Uint32Array.from(pairs.flat()), scores);
    expect(scores.every((score) => score === 0)).toBe(true);
  }
});

it('refuses rows and questions of other dimensions, and answers zeros to an empty question', () => {
  const table = createVectorTable(128, 1);
  expect(() => table.set(0, quantize(new Float32Array(64)))).toThrow(/64 dimensions where 128/);
  expect(() => table.scan(new Float32Array(64), new Float32Array(1))).toThrow(/64 dimensions where 128/);
  const scores = new Float32Array([7]);
  table.scan(new Float32Array(128), scores);
  expect(scores[0]).toBe(0);
});
