import { expect, test } from 'vitest';
import { CodeWords } from './code-words.ts';
import { tokenize } from './tokens.ts';
import { hashWord } from './word-hash.ts';

const TEXTS = [
  '',
  'getUserName(id); // names',
  '123abc abc123 9_foo _ __init__ 42 0xFF',
  'naïve 漢字 größe `x` \u{1F600}tail \uD800lone',
  `x ${'a'.repeat(81)} ${'b'.repeat(70_000)} y`,
  `${'w'.repeat(5)} `.repeat(30_000),
];

function tokensOf(words: CodeWords, text: string): number[] {
  return [...words.read(text)].flatMap((word) =>
    [...words.termsOf(word)].map((term) => words.termHashes[term] ?? 0),
  );
}

test.each(TEXTS)('reads the same tokens as the stream of a query (%#)', (text) => {
  expect(tokensOf(new CodeWords(100), text)).toEqual(tokenize(text).map(hashWord));
});

test('counts words in the order in which they first occur, and begins anew with each text', () => {
  const words = new CodeWords(100);
  for (const text of ['b a b 7', 'b a b 7']) {
    const { words: numbers, counts } = words.count(text);
    expect([...numbers].map((word) => words.textOf(word))).toEqual(['b', 'a', '7']);
    expect([...counts]).toEqual([2, 1, 1]);
  }
});

test('grows beyond its first tables, and every word stays what it was', () => {
  const words = new CodeWords(100_000);
  const text = Array.from({ length: 20_000 }, (_, at) => `word${at} part_${at % 7}`).join(' ');
  const before = words.read(text);
  expect(words.read(text)).toEqual(before);
  expect(words.textOf(before[39_998] ?? 0)).toBe('word19999');
  expect(words.size).toBe(20_007);
});

test('forgets everything when it has too many words, not before', () => {
  const words = new CodeWords(3);
  words.read('a b');
  expect(words.makeRoom()).toBe(false);
  words.read('c');
  expect(words.makeRoom()).toBe(true);
  expect(words.size).toBe(0);
  expect(tokensOf(words, 'fooBar a')).toEqual(tokenize('fooBar a').map(hashWord));
});

test('forgets and grows again, as often as it must', () => {
  const words = new CodeWords(9_000);
  for (const prefix of ['a', 'b', 'c']) {
    const text = Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}`).join(' ');
    expect([...words.count(text).words].map((word) => words.textOf(word)).join(' ')).toBe(text);
    expect(words.makeRoom()).toBe(true);
  }
});

test('forgets few words that have very many parts, while their numbers are small enough for one more file', () => {
  const words = new CodeWords(200_000);
  let next = 1_000_000;
  const identifier = (): string => `v${Array.from({ length: 10 }, () => next++).join('_')}`;
  for (let file = 0; file < 12 && !words.makeRoom(); file++)
    words.read(Array.from({ length: 12_000 }, identifier).join(' '));
  expect(words.termCount).toBe(0);
});
