import { expect, test } from 'vitest';
import { TextLines } from '../../text/index.ts';
import { messageOf, readQuestion } from '../query/question.ts';
import { linesSpelling } from './spelled.ts';

test.each([
  ['RuntimeError: Working outside of application context.', 'working outside of application context'],
  ['how are idle sessions expired', undefined],
  ['idle sessions were not expired', 'idle sessions were not expired'],
  ['idle sessions', undefined],
  ['SessionStore.expireIdleSessions', undefined],
])('%s may be a message: %s', (text, message) => {
  expect(messageOf(readQuestion(text))).toBe(message);
});

test('a value that was filled in is no part of the literal', () => {
  const lines = new TextLines('a\nfail(`gave up after ${count} attempts`)');

  expect(linesSpelling(lines, 'gave up after 7 attempts')).toEqual([2]);
});

test.each([
  ['x = """\nWorking outside of application context.\n"""', [2]],
  ['throw new Error("Working outside of application context")', [1]],
  ['fail(`Working outside of application ${kind}`)', []],
  ['// outside of the application', []],
])('finds the lines of %j that spell it', (code, lines) => {
  expect(linesSpelling(new TextLines(code), 'working outside of application context')).toEqual(lines);
});
