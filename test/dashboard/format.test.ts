/** Numbers as the page says them. */
import { expect, test } from 'vitest';
import { kindWord, percent } from '../../web/format.ts';

test.each([
  [0, '0 %'],
  [0.000_01, '0.1 %'],
  [0.004, '0.4 %'],
  [0.884, '88 %'],
  [0.995, '99.5 %'],
  [0.999_99, '99.9 %'],
  [1, '100 %'],
])('%s is %s: what is not all is never said to be', (share, said) => {
  expect(percent(share)).toBe(said);
});

test('a kind of entry is called as on the terminal', () => {
  expect([kindWord('remediation'), kindWord('remediation', 2), kindWord('skill', 3)]).toEqual([
    'fix',
    'fixes',
    'skills',
  ]);
});
