import { expect, test } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

test.each([
  ['serv', 'serve'],
  ['sevre', 'serve'],
  ['STATUS', 'status'],
])('takes %s to mean %s', (typed, meant) => {
  expect(nearest(typed, ['mcp', 'serve', 'status'])).toBe(meant);
});

test('takes a word that is written out to mean its short form', () => {
  expect(nearest('languages', ['query', 'lang', 'kind'])).toBe('lang');
});

test('guesses nothing when nothing is near', () => {
  expect(nearest('deploy', ['mcp', 'serve', 'status'])).toBeUndefined();
});

test('counts insertions, deletions, changes and swaps of neighbours as one edit each', () => {
  expect(editDistance('abc', 'abcd')).toBe(1);
  expect(editDistance('abc', 'ac')).toBe(1);
  expect(editDistance('abc', 'axc')).toBe(1);
  expect(editDistance('abc', 'acb')).toBe(1);
  expect(editDistance('', 'abc')).toBe(3);
});
