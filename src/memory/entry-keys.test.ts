import { describe, expect, test } from 'vitest';
import { createWordFinder, normaliseError, normaliseText, queryWords, wordsOf } from './entry-keys.ts';

test.each([
  'Retrying the uploads of parseHTTPUrl_v2 in src/upload_queue.ts',
  'flies tries bus classes passing stopped indexing INDEXES I a io',
  'Größe der Datei überschritten, größer als 日本語のテキスト',
  '',
])('the finder finds what the words of a text are: %j', (text) => {
  const words = [...new Set(wordsOf(text))];
  const find = createWordFinder([...words, 'absent']);

  expect([...find(text)].toSorted()).toEqual(words.toSorted());
});

test('a question keeps the words that tell something, or all if none does', () => {
  expect(queryWords('how do we retry the uploads')).toEqual(['retry', 'upload']);
  expect(queryWords('what is this')).toEqual(['what', 'is', 'thi']);
});

const print = (message: string, stack?: string): string | undefined =>
  normaliseError(message, stack).fingerprint;

describe('two occurrences of one error have one fingerprint', () => {
  test.each([
    ['paths', "ENOENT: no such file, open '/home/ana/a.json'", "ENOENT: no such file, open 'C:\\x\\b.json'"],
    ['places', 'Unexpected token in src/a.ts:3:14', 'Unexpected token in lib/other/b.ts:120:2'],
    ['addresses', 'segfault at 0x7ffe12 in worker', 'segfault at 0x55aa00ff in worker'],
    ['times', '2026-01-02T03:04:05Z request timed out', '2025-12-31 23:59:59,123 request timed out'],
    [
      'ids',
      'job 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed twice',
      'job 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed twice',
    ],
    ['hosts', 'connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 10.0.0.7:5433'],
    ['urls', 'GET https://a.example/x?y=1 answered badly', 'GET http://b.example:8080/z answered badly'],
    ['durations', 'gave up after 1.5s and 3 tries', 'gave up after 30s and 12 tries'],
    ['quoted values', 'unknown column "price" in query', 'unknown column "name" in query'],
    ['colours', '\u001b[31mbuild failed badly\u001b[0m', 'build failed badly'],
    ['stacks', 'TypeError: x is undefined\n    at f (/a.js:1:2)', 'TypeError: x is undefined'],
  ])('%s differ', (_what, first, second) => {
    expect(print(first)).toBeDefined();
    expect(print(second)).toBe(print(first));
  });
});

test.each([
  ['TypeError: x is undefined', 'RangeError: x is undefined'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'connect ETIMEDOUT 127.0.0.1:1'],
  ['cannot open the file', 'cannot close the file'],
])('%j and %j are two errors', (first, second) => {
  expect(print(second)).not.toBe(print(first));
});

test('what says nothing has no fingerprint', () => {
  expect(['', '42', '/a/b.ts:1:2', '"x" 0x1f'].map((text) => print(text))).toEqual(Array(4).fill(undefined));
});

test('codes and frames are found, without places and anonymous functions', () => {
  const { codes, frames } = normaliseError(
    'Error: connect ECONNREFUSED',
    'TypeError\n    at Pool.connect (/srv/a/pool.js:10:2)\n    at async run (file:///b.mjs:3:4)\n    at <anonymous>',
  );

  expect(codes).toContain('econnrefused');
  expect(frames).toContain('pool.connect');
  expect(frames).not.toContain('<anonymous>');
});

test('the longest text a caller may send is normalised at once, whatever it holds', () => {
  for (const part of ['a/', '"', "'", '::', '0', 'a.', '-', 'at '])
    expect(normaliseText(part.repeat(20_000 / part.length)).length).toBeLessThan(41_000);
});
