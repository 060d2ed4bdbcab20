import { expect, test } from 'vitest';
import { requiredTexts } from './required-texts.ts';

test.each([
  ['retry', ['retry']],
  [String.raw`retry_\w+`, ['retry_']],
  [String.raw`foo\.bar`, ['foo.bar']],
  ['abcd?ef', ['abc']],
  ['abcd*', ['abc']],
  ['abcd+', ['abc']],
  ['abcd{0,2}efg', ['abc', 'efg']],
  ['^import .*from', ['import ', 'from']],
  ['abc[xyz]def', ['abc', 'def']],
  [String.raw`[\]abc]def`, ['def']],
  [String.raw`[abc\\]def`, ['def']],
  [String.raw`\x41bcdef`, ['bcdef']],
  [String.raw`\u0041bcdef`, ['bcdef']],
  [String.raw`\cJabc`, ['abc']],
  [String.raw`abc\b`, ['abc']],
])('%s needs %j', (source, texts) => {
  expect(requiredTexts(source)).toEqual(texts);
});

test.each(['abc|def', '(abc)?def', '(?=abc)d', 'ab', '', '[abc', '{abc', String.raw`\u{41}bcd`])(
  'of %j nothing is certain',
  (source) => {
    expect(requiredTexts(source)).toEqual([]);
  },
);

test('whatever an expression matches holds what it needs', () => {
  const samples: readonly (readonly [string, string])[] = [
    [String.raw`\x63ursor\.next`, 'cursor.next'],
    [String.raw`[\]x]abc`, 'xabc'],
    [String.raw`re-?try\s+after`, 'retry  after'],
    ['colou?rs', 'colors'],
  ];
  for (const [source, text] of samples) {
    expect(new RegExp(source).test(text)).toBe(true);
    expect(requiredTexts(source).filter((piece) => !text.includes(piece))).toEqual([]);
  }
});
