/** The building blocks of an index in memory, against plain ones. */
import { expect, test } from 'vitest';
import { KeyTable } from './key-table.ts';
import { createPostingsBuilder } from './postings.ts';
import { topOf } from './top.ts';
import { cursorAfter, readCursor } from './cursor.ts';

/** Always the same numbers. */
function numbers(count: number, below: number): number[] {
  let state = 12_345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  });
}

test('a key table gives each key its number, also after it has grown, and none to others', () => {
  const keys = [...new Set([0, 0xffffffff, 1024, 2048, ...numbers(5_000, 2 ** 32)])];
  const table = new KeyTable();

  const places = keys.map((key) => table.add(key));

  expect(places).toEqual(keys.map((_, at) => at));
  expect(keys.map((key) => table.get(key))).toEqual(places);
  expect(keys.map((key) => table.add(key))).toEqual(places);
  expect(table.size).toBe(keys.length);
  expect(
    numbers(100, 1_000)
      .filter((key) => !keys.includes(key))
      .every((key) => table.get(key) === -1),
  ).toBe(true);
});

test('postings turn documents with terms into terms with documents', () => {
  const builder = createPostingsBuilder();
  const given = numbers(2_000, 50).map((term, at) => ({
    term,
    document: Math.floor(at / 10),
    count: (at % 255) + 1,
  }));
  for (const { term, document, count } of given) builder.add(term, document, count);

  const { offsets, documents, counts } = builder.build(60);

  for (let term = 0; term < 60; term++) {
    const expected = given.filter((one) => one.term === term);
    const [from, to] = [offsets[term], offsets[term + 1]];
    expect([...documents.subarray(from, to)]).toEqual(expected.map(({ document }) => document));
    expect([...counts.subarray(from, to)]).toEqual(expected.map(({ count }) => count));
  }
});

test.each([0, 1, 5, 300, 1_000])('the best %i are those that sorting finds', (most) => {
  const scores = numbers(300, 40);
  const sorted = scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most);

  expect(topOf(scores, most)).toEqual(sorted.map(({ at }) => at));
});

test('only scores above the limit count', () => {
  expect(topOf([3, -0.5, 1, 0], 10)).toEqual([0, 2]);
  expect(topOf([3, -0.5, -2, 0], 10, -1)).toEqual([0, 3, 1]);
});

test('a cursor comes back as it was given; any other text is refused with the way out', () => {
  expect(readCursor(cursorAfter(10))).toBe(10);
  expect(readCursor(undefined)).toBe(0);
  for (const bad of ['', '10', 'after-', 'after--1', 'after-1e9', 'after-9999999', 'x'.repeat(1_000)])
    expect(() => readCursor(bad)).toThrow(
      expect.objectContaining({ code: 'bad_argument', hint: expect.any(String) }),
    );
});
