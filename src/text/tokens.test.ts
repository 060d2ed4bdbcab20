import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { identifiersHolding, identifiersIn, splitIdentifier, tokenize } from './tokens.ts';

test.each([
  ['indexing', 'index'],
  ['indexed', 'index'],
  ['indexes', 'index'],
  ['tokenization', 'tokeniz'],
  ['queries', 'query'],
  ['classes', 'class'],
  ['planning', 'plan'],
  ['parsers', 'parser'],
  ['cache', 'cach'],
  ['caches', 'cach'],
  ['bus', 'bus'],
  ['is', 'is'],
])('stems %s to %s', (word, stemmed) => {
  expect(stem(word)).toBe(stemmed);
});

test.each([
  ['parseHTTPUrl_v2', ['parse', 'http', 'url', 'v', '2']],
  ['snake_case_name', ['snake', 'case', 'name']],
  ['XMLHttpRequest', ['xml', 'http', 'request']],
  ['simple', ['simple']],
  ['___', []],
])('splits %s', (identifier, parts) => {
  expect(splitIdentifier(identifier)).toEqual(parts);
});

test('gives the whole identifier and its parts, and no words for punctuation', () => {
  expect(tokenize('getUserName(id); // names')).toEqual(['getusernam', 'get', 'user', 'name', 'id', 'name']);
});

test('passes over runs that are data', () => {
  expect(tokenize(`x ${'a'.repeat(81)} y`)).toEqual(['x', 'y']);
});

function cutOut(text: string, parts: readonly string[]): string[] {
  const places = identifiersHolding(text, parts);
  return Array.from({ length: places.length / 2 }, (_, at) => text.slice(places[2 * at], places[2 * at + 1]));
}

test('finds the identifiers that hold a text, in their order and once each', () => {
  const text = 'reOpen(till_2, 3dTill) || TILL.close // until';
  expect(cutOut(text, ['till', 'open'])).toEqual(['reOpen', 'till_2', 'dTill', 'TILL']);
  expect(cutOut(text, ['t', 'til'])).toEqual(['till_2', 'dTill', 'TILL', 'until']);
  expect(cutOut(text, [])).toEqual([]);
  expect(cutOut('', ['till'])).toEqual([]);
  expect(cutOut('12 34_5', ['2', '3'])).toEqual(['_5']);
  // A letter that is none of an identifier, but is one in lower case.
  expect(cutOut('\u212aey key', ['key'])).toEqual(['key']);
});

test('gives all of them where it cannot tell', () => {
  expect(cutOut('a b', [''])).toEqual(['a', 'b']);
  // Two letters in lower case.
  expect(cutOut('\u0130 till b', ['till'])).toEqual(['till', 'b']);
});

test('leaves out none that holds a text', () => {
  let seed = 7;
  const next = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const letters = 'abkAB12_ -.\n\u00e4\u212a';
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: next(60) }, () => letters[next(letters.length)]).join('');
    const parts = ['ab', 'k', 'b1', '_', 'aa'].slice(0, 1 + next(5));
    const holders = identifiersIn(text).filter((one) =>
      parts.some((part) => one.toLowerCase().includes(part)),
    );
    const found = cutOut(text, parts);
    expect(found.filter((one) => parts.some((part) => one.toLowerCase().includes(part)))).toEqual(holders);
  }
});

test('of a large text, too, each is looked at once', () => {
  const text = 'alphaEcho '.repeat(100_000);
  const places = identifiersHolding(text, ['o', 'h', 'e', 'a', 'p']);
  expect(places.length).toBe(200_000);
  expect(places.slice(-2)).toEqual([999_990, 999_999]);
});
