import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  hashWord as plainHash,
  plainIdentifiers,
  plainTrigrams,
  splitIdentifier,
  tokenize,
  tokensOf,
} from '../../test/support/plain-tokens.ts';
import {
  createStemFinder,
  hashWord,
  identifiersIn,
  partHashesOf,
  partsIn,
  termsOf,
  trigramsOf,
} from './words.ts';

const FIXTURES = new URL('../../test/fixtures/languages/', import.meta.url);
const TEXTS = [
  '',
  'getUserName(id); // names',
  '123abc abc123 9_foo _ __init__ 42 0xFF 12345 URLs HTTPServer parseURLs APIsX Xs aB',
  'naïve 漢字 größe `x` \u{1F600}tail \uD800lone İstanbul ÀÉ \u212aey',
  `x ${'a'.repeat(81)} ${'b'.repeat(70_000)} ${'1'.repeat(90)}abcdefgh y`,
  'indexes indexing indexed normalization organizations creation sayings lovingly flies tried classes users runs bus is as ' +
    'running stopped telling passed agreed ties died seed sing king eds ings ations zation ization aization abization',
  ...readdirSync(FIXTURES).map((name) => readFileSync(new URL(name, FIXTURES), 'utf8')),
];

function stemsIn(text: string): string[] {
  return identifiersIn(text).flatMap((identifier) => termsOf(identifier).map(({ stem }) => stem));
}

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
  expect(stemsIn(word)).toEqual([stemmed]);
});

test.each([
  ['parseHTTPUrl_v2', ['parse', 'http', 'url', 'v', '2']],
  ['snake_case_name', ['snake', 'case', 'name']],
  ['XMLHttpRequest', ['xml', 'http', 'request']],
  ['simple', ['simple']],
  ['001_init.sql', ['001', 'init', 'sql']],
  ['2fa', ['2', 'fa']],
  ['___', []],
])('splits %s', (name, parts) => {
  expect(partsIn(name).map(({ word }) => word)).toEqual(parts);
});

test('gives the whole identifier and its parts, and no words for punctuation', () => {
  expect(stemsIn('getUserName(id); // names')).toEqual(['getusernam', 'get', 'user', 'name', 'id', 'name']);
});

test('passes over runs that are data', () => {
  expect(stemsIn(`x ${'a'.repeat(81)} y`)).toEqual(['x', 'y']);
});

test('finds the identifiers, parts, stems and hashes that the plain way finds', () => {
  for (const text of TEXTS) {
    const found = identifiersIn(text);
    expect(found.map(({ name }) => name)).toEqual(plainIdentifiers(text));
    expect(found.map(({ start, name }) => text.slice(start, start + name.length))).toEqual(
      plainIdentifiers(text),
    );
    expect(found.map(({ parts }) => parts.map(({ word }) => word))).toEqual(
      plainIdentifiers(text).map(splitIdentifier),
    );
    expect(stemsIn(text)).toEqual(tokenize(text));
    expect(found.flatMap((one) => termsOf(one).map(({ hash }) => hash))).toEqual(
      tokenize(text).map(plainHash),
    );
    expect(hashWord(text)).toBe(plainHash(text));
    expect(trigramsOf(text)).toEqual(plainTrigrams(text));
  }
});

test('finds which stems are on which lines, each once per line and in their order', () => {
  const find = createStemFinder(['till', 'open', 'io', 'reopen']);

  expect([...find('reOpen(till_2, 3dTill) || TILL.close // until\n\nios io opened, opens')]).toEqual([
    0, 3, 0, 1, 0, 0, 2, 2, 2, 1,
  ]);
  expect([...createStemFinder([])('till')]).toEqual([]);
  expect([...find('')]).toEqual([]);
});

test('finds on each line what its terms are, whatever was looked for before', () => {
  for (const text of TEXTS) {
    const wanted = [...new Set(tokenize(text))].filter((_, at) => at % 7 === 0).slice(0, 300);
    const expected = text
      .split('\n')
      .flatMap((line, at) =>
        [...new Set(plainIdentifiers(line).flatMap(tokensOf))]
          .filter((token) => wanted.includes(token))
          .map((token) => `${at} ${token}`),
      );

    const pairs = createStemFinder(wanted)(text);

    expect(
      Array.from(
        { length: pairs.length / 2 },
        (_, at) => `${pairs[2 * at] ?? ''} ${wanted[pairs[2 * at + 1] ?? 0] ?? ''}`,
      ),
    ).toEqual(expected);
  }
});

test('the parts of many names at once are those of each', () => {
  const names = ['parseHTTPUrl_v2', '', '001_init', 'operator +=', '+', 'a\nb2', 'get foo'];

  expect(partHashesOf(names)).toEqual(names.map((name) => partsIn(name).map(({ hash }) => hash)));
  expect(partHashesOf([])).toEqual([]);
});
