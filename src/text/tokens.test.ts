import { expect, test } from 'vitest';
import { stem } from './stem.ts';
import { splitIdentifier, tokenize } from './tokens.ts';

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
