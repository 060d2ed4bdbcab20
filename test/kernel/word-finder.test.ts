import { expect, test } from 'vitest';
import { createWordFinder } from '../../src/kernel/index.ts';

function hits(words: readonly string[], text: string): readonly string[] {
  const found: string[] = [];
  createWordFinder(words).scan(text, (end, indices) => {
    for (const index of indices) found.push(`${words[index]}@${end}`);
    return end;
  });
  return found;
}

test('finds words that overlap, contain each other and differ in case', () => {
  expect(hits(['he', 'she', 'his', 'hers'], 'uSHErs')).toEqual(['she@4', 'he@4', 'hers@6']);
  expect(hits(['secret', 'secret_key', '_key'], 'a Secret_KEY')).toEqual([
    'secret@8',
    'secret_key@12',
    '_key@12',
  ]);
  expect(hits(['aa'], 'aaaa')).toEqual(['aa@2', 'aa@3', 'aa@4']);
});

test('finds what a plain search finds, in any text', () => {
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

    expect(hits(words, text).toSorted()).toEqual(plain.toSorted());
    expect(createWordFinder(words).finds(text)).toBe(plain.length > 0);
  }
});

test('goes on where it is told to', () => {
  const seen: number[] = [];
  createWordFinder(['ab']).scan('ab ab ab', (end) => {
    seen.push(end);
    return end + 3;
  });

  expect(seen).toEqual([2, 8]);
});
