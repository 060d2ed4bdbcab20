import { expect, test } from 'vitest';
import { createVectorCache, type VectorSource } from './vector-cache.ts';

const DIMENSIONS = 16;

/** One entry a place: the vector of the n-th points to the n-th dimension. */
function pointing(to: number): Int8Array {
  return Int8Array.from({ length: DIMENSIONS }, (_, at) => (at === to % DIMENSIONS ? 127 : 0));
}

function createSource() {
  const rows: { seq: number; mark: number; vector: Int8Array }[] = [];
  const asked: number[] = [];
  const source: VectorSource = {
    async vectorsAfter(after) {
      asked.push(after);
      return { mark: rows.at(-1)?.mark ?? 0, rows: rows.filter(({ mark }) => mark > after) };
    },
  };
  return { source, rows, asked, add: (seq: number) => rows.push({ seq, mark: seq, vector: pointing(seq) }) };
}

test('what was saved since the last question is found, with its nearness', async () => {
  const { source, add } = createSource();
  const cache = createVectorCache();

  expect((await cache.ask(source, pointing(3), 5)).nearest).toEqual([]);
  add(1);
  add(3);
  const first = await cache.ask(source, pointing(3), 5);
  add(19);
  const second = await cache.ask(source, pointing(3), 5);

  expect(first.nearest.map(({ seq }) => seq)).toEqual([3]);
  expect(second.nearest.map(({ seq }) => seq)).toEqual([3, 19]);
  expect(second.cosine(19)).toBeCloseTo(1, 3);
  expect(second.cosine(1)).toBeCloseTo(0, 3);
  expect(second.cosine(2)).toBeUndefined();
});

test('a question after each of 2,000 saves reads what is new, and all of it only when the room is used up', async () => {
  const { source, add, asked } = createSource();
  const cache = createVectorCache();

  for (let seq = 1; seq <= 2_000; seq++) {
    add(seq);
    await cache.ask(source, pointing(seq), 1);
  }

  expect(asked.filter((after) => after === 0).length).toBeLessThan(15);
  const { nearest } = await cache.ask(source, pointing(5), 2_000);
  expect(nearest).toHaveLength(2_000 / DIMENSIONS);
});

test('a memory that was restored is read anew', async () => {
  const { source, rows, add } = createSource();
  const cache = createVectorCache();
  for (const seq of [1, 2, 3]) add(seq);
  await cache.ask(source, pointing(1), 5);
  rows.splice(1);

  const { nearest, cosine } = await cache.ask(source, pointing(2), 5);

  expect(nearest).toEqual([]);
  expect([cosine(1), cosine(2)]).toEqual([0, undefined]);
});

test('two questions at once see the same rows, and each its own nearness', async () => {
  const { source, add } = createSource();
  const cache = createVectorCache();
  for (let seq = 1; seq <= 300; seq++) add(seq);
  await cache.ask(source, pointing(1), 1);
  for (let seq = 301; seq <= 900; seq++) add(seq);

  const [one, other] = await Promise.all([
    cache.ask(source, pointing(1), 1_000),
    cache.ask(source, pointing(2), 1_000),
  ]);

  expect(one.nearest.every(({ seq }) => seq % DIMENSIONS === 1)).toBe(true);
  expect(one.nearest).toHaveLength(57);
  expect(other.nearest).toHaveLength(57);
  expect(
    [one.cosine(897), other.cosine(897), other.cosine(898)].map((value) => Math.round(value ?? -1)),
  ).toEqual([1, 0, 1]);
});
