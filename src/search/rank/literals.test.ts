import { expect, test } from 'vitest';
import { literalsIn } from './literals.ts';

const TEXT = 'it fails with: working outside of application context. (user 7)';

test.each([
  [
    'raise RuntimeError("Working outside  of application context.")',
    'working outside of application context.',
  ],
  ['throw new Error(`Outside of application ${name}`)', 'outside of application'],
  ["fail('%s outside of application {}')", 'outside of application'],
])('a literal that the text holds is found, whatever is filled into it: %s', (line, piece) => {
  expect(literalsIn(line, TEXT)).toEqual([piece]);
});

test.each(['no quotes: working outside of application context', '"context."', '"nothing of the kind here"'])(
  'other lines hold none: %s',
  (line) => {
    expect(literalsIn(line, TEXT)).toEqual([]);
  },
);
