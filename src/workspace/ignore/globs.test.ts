import { describe, expect, test } from 'vitest';
import { createGlobMatcher } from './globs.ts';

const PATHS = [
  'src/App.ts',
  'src/cart/cart.ts',
  'test/cart/cart.test.ts',
  'docs/cart.md',
  'cart',
  'cart.ts/readme',
];

describe('a path matches', () => {
  test.each([
    [['*.ts'], ['src/App.ts', 'src/cart/cart.ts', 'test/cart/cart.test.ts', 'cart.ts/readme']],
    [['cart'], ['src/cart/cart.ts', 'test/cart/cart.test.ts', 'cart']],
    [['src/'], ['src/App.ts', 'src/cart/cart.ts']],
    [['./src/cart'], ['src/cart/cart.ts']],
    [['SRC/*.TS'], ['src/App.ts']],
    [['src/**', '!src/cart'], ['src/App.ts']],
    [
      ['!src/cart', 'src/**'],
      ['src/App.ts', 'src/cart/cart.ts'],
    ],
    [
      ['!cart.ts', 'src'],
      ['src/App.ts', 'src/cart/cart.ts'],
    ],
    [['{docs,test}/**'], ['test/cart/cart.test.ts', 'docs/cart.md']],
    [[], []],
  ])('%j', (globs, found) => {
    expect(PATHS.filter(createGlobMatcher(globs))).toEqual(found);
  });
});

describe('globs that would keep everybody waiting are refused', () => {
  const paths = Array.from(
    { length: 20_000 },
    (_, at) => `src/${'aaaaaaaa/'.repeat(6)}${'a'.repeat(60)}${at}`,
  );
  const fifty = (glob: string): readonly string[] => Array.from({ length: 50 }, (_, at) => `${glob}${at}`);

  test.each(['*a'.repeat(240), '**/*'.repeat(120), '*{a,b,c,d}*'.repeat(3), '{a,b}{c,d}{e,f}{g,h}'])(
    '50 times %j',
    (glob) => {
      expect(() => paths.filter(createGlobMatcher(fifty(glob)))).toThrow('take too long');
    },
  );

  test.each(['name', 'src/**/name', '*.name'])('50 times %j are not', (glob) => {
    expect(paths.filter(createGlobMatcher(fifty(glob)))).toEqual([]);
  });
});

test('a pattern that is longer than any path is refused with what to do', () => {
  expect(() => createGlobMatcher(['a/'.repeat(3_000)])).toThrow(
    expect.objectContaining({ code: 'bad_argument', hint: expect.stringContaining('at most 4096') }),
  );
});
