import { expect, test } from 'vitest';
import { createPlainFinder, createWordFinder } from '../../src/kernel/index.ts';

type Make = typeof createWordFinder;
const ENGINES: readonly (readonly [string, Make])[] = [
  ['WebAssembly', createWordFinder],
  ['without it', createPlainFinder],
];

function hits(create: Make, words: readonly string[], text: string): readonly string[] {
  const found: string[] = [];
  create(words).scan(text, (end, indices) => {
    for (const index of indices) found.push(`${words[index]}@${end}`);
    return end;
  });
  return found;
}

test.each(ENGINES)('%s: finds words that overlap, contain each other and differ in case', (_, create) => {
  expect(hits(create, ['he', 'she', 'his', 'hers'], 'uSHErs')).toEqual(['she@4', 'he@4', 'hers@6']);
  expect(hits(create, ['secret', 'secret_key', '_key'], 'a Secret_KEY')).toEqual([
    'secret@8',
    'secret_key@12',
    '_key@12',
  ]);
  expect(hits(create, ['aa'], 'aaaa')).toEqual(['aa@2', 'aa@3', 'aa@4']);
});

test.each(ENGINES)('%s: finds what a plain search finds, in any text', (_, create) => {
  const words = ['ab', 'abc', 'bca', 'c-', 'ca.b', 'b'];
  let state = 3;
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: 60 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return 'abcABC-.é☃'[(state >>> 16) % 10];
    }).join('');
    const plain = words.flatMap((word) =>
      Array.from({ length: text.length }, (_, at) => at)
        .filter((at) => text.toLowerCase().startsWith(word, at))
        .map((at) => `${word}@${at + word.length}`),
    );

    expect(hits(create, words, text).toSorted()).toEqual(plain.toSorted());
    expect(create(words).finds(text)).toBe(plain.length > 0);
  }
});

test.each(ENGINES)('%s: goes on where it is told to', (_, create) => {
  const seen: number[] = [];
  create(['ab']).scan('ab ab ab', (end) => {
    seen.push(end);
    return end + 3;
  });

  expect(seen).toEqual([2, 8]);
});

test.each(ENGINES)('%s: finds the last word of a text that is longer than any before', (_, create) => {
  const finder = create(['secret']);
  for (const size of [10, 20_000, 9_000, 300_000]) {
    expect(finder.finds(`${'a'.repeat(size)}sEcret`)).toBe(true);
    expect(finder.finds(`\u8001${'a'.repeat(size)}`)).toBe(false);
  }
});

test('finds nothing where there is nothing to find, and refuses what are no words', () => {
  expect(createWordFinder([]).finds('a'.repeat(9_000))).toBe(false);
  for (const words of [['Secret'], ['größe'], ['a\nb'], [''], ['a'.repeat(40_000)]])
    expect(() => createWordFinder(words)).toThrow(/no words/);
});
