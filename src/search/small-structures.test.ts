/** The building blocks of an index in memory, against plain ones. */
import { expect, test } from 'vitest';
import { COLUMN, FEATURES, type Weights } from './rank/features.ts';
import { FeatureMatrix, weightsByColumn } from './rank/measure.ts';
import { packPlainly } from '../../test/support/plain-segment.ts';
import { KeyTable, postingCount, PostingList } from './view/segment.ts';
import { topOf } from './rank/candidates.ts';
import { cursorAfter, readCursor } from './query/parse-query.ts';

/** Always the same numbers. */
function numbers(count: number, below: number): number[] {
  let state = 12_345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  });
}

test('the documents of each term are read from its list', () => {
  const given = numbers(2_000, 50).map((term, at) => ({
    term,
    document: Math.floor(at / 10),
    count: (at % 255) + 1,
  }));

  const postings = packPlainly(given, 60);
  const list = new PostingList();

  for (let term = 0; term < 60; term++) {
    const expected = given.filter((one) => one.term === term);
    const { documents, counts, size } = list.read(postings, term);
    expect(size).toBe(expected.length);
    expect(postingCount(postings, term)).toBe(expected.length);
    expect([...documents.subarray(0, size)]).toEqual(expected.map(({ document }) => document));
    expect([...counts.subarray(0, size)]).toEqual(expected.map(({ count }) => count));
  }
  expect(list.read(postings, -1).size).toBe(0);
});

test('postings of far documents and of long lists come back', () => {
  const far = [0, 1, 127, 128, 40_000, 3_000_000, 60_000_000];
  const near = Array.from({ length: 20_000 }, (_, document) => ({ term: 2, document, count: 3 }));

  const postings = packPlainly([...far.map((document) => ({ term: 1, document, count: 255 })), ...near], 3);
  const list = new PostingList().read(postings, 2);

  expect([list.size, list.documents[19_999], list.counts[19_999]]).toEqual([20_000, 19_999, 3]);
  list.read(postings, 1);
  expect([...list.documents.subarray(0, list.size)]).toEqual(far);
  expect(new Set(list.counts.subarray(0, list.size))).toEqual(new Set([255]));
  expect(list.read(postings, 0).size).toBe(0);
});

test('a key table gives each key its place in the list, and none to others', () => {
  const keys = Uint32Array.from(new Set([0, 0xffffffff, 1024, 2048, ...numbers(5_000, 2 ** 32)]));
  const others = numbers(100, 1_000).filter((key) => !keys.includes(key));
  const table = new KeyTable(keys);

  // The first questions are answered in another way than the others.
  expect(table.get(54_321)).toBe(-1);
  expect([...keys].map((key) => table.get(key))).toEqual([...keys.keys()]);
  expect(others.map((key) => table.get(key))).toEqual(others.map(() => -1));
  expect(table.size).toBe(keys.length);
  expect(new KeyTable(new Uint32Array(0)).get(0)).toBe(-1);
});

test.each([0, 1, 5, 300, 1_000])('the best %i are those that sorting finds', (most) => {
  const scores = numbers(300, 40);
  const sorted = scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most);

  expect(topOf(Float32Array.from(scores), most)).toEqual(sorted.map(({ at }) => at));
});

test('the weighted sum counts every feature', () => {
  const values = numbers(2 * FEATURES.length, 1_000);
  const record = (first: number): Weights =>
    // Every feature is given a value just below.
    Object.fromEntries(FEATURES.map((feature, at) => [feature, values[first + at] ?? 0])) as Weights;
  const [features, weights] = [record(0), record(FEATURES.length)];

  const matrix = new FeatureMatrix(2);
  for (const feature of FEATURES) matrix.set(1, COLUMN[feature], features[feature]);

  expect(matrix.score(1, weightsByColumn(weights))).toBe(
    FEATURES.reduce((sum, feature) => sum + features[feature] * weights[feature], 0),
  );
});

test('only scores above the limit count', () => {
  expect(topOf(Float32Array.of(3, -0.5, 1, 0), 10)).toEqual([0, 2]);
  expect(topOf(Float32Array.of(3, -0.5, -2, 0), 10, { above: -1 })).toEqual([0, 3, 1]);
  expect(topOf(Float32Array.of(3, 5, 4, 1), 2, { passes: (number) => number !== 1 })).toEqual([2, 0]);
});

test('a cursor comes back as it was given; any other text is refused with the way out', () => {
  expect(readCursor(cursorAfter(10))).toEqual({ from: 10, line: 0 });
  expect(readCursor(cursorAfter(10, 250))).toEqual({ from: 10, line: 250 });
  expect(readCursor(undefined)).toEqual({ from: 0, line: 0 });
  for (const bad of [
    '',
    '10',
    'after-',
    'after--1',
    'after-1e9',
    'after-9999999',
    'after-1.',
    'x'.repeat(1_000),
  ])
    expect(() => readCursor(bad)).toThrow(
      expect.objectContaining({ code: 'bad_argument', hint: expect.any(String) }),
    );
});
