import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

const mark = (line: string, ...words: string[]): string => highlight(line, words, (text) => `<${text}>`);

test.each([
  ['const total = add(items);', ['items'], 'const total = add(<items>);'],
  ['expireIdleSessions(now)', ['session'], '<expireIdleSessions>(now)'],
  ['a "retry after" b Retry After', ['retry after'], 'a "<retry after>" b <Retry After>'],
  ['Schöne Grüße, schöne', ['grüße'], 'Schöne <Grüße>, schöne'],
  ['nothing here', ['cart'], 'nothing here'],
  ['cart', [], 'cart'],
  ['add add add', ['add'], '<add> <add> <add>'],
])('%s', (line, words, marked) => {
  expect(mark(line, ...words)).toBe(marked);
});
