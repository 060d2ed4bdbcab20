import { expect, test } from 'vitest';
import { TextLines } from '../../text/index.ts';
import { readQuestion } from '../query/question.ts';
import { linesSpelling, messageOf } from './spelled.ts';

test.each([
  ['RuntimeError: Working outside of application context.', 'working outside of application context'],
  ['how are idle sessions expired', 'how are idle sessions expired'],
  ['idle sessions', undefined],
  ['SessionStore.expireIdleSessions', undefined],
])('%s may be a message: %s', (text, message) => {
  expect(messageOf(readQuestion(text))).toBe(message);
});

test.each([
  ['x = """\nWorking  outside of application context.\n"""', [2]],
  ['throw new Error("Working outside of application context")', [1]],
  ['fail(`Working outside of application ${kind}`)', [1]],
  ['// outside of the application', []],
])('finds the lines of %j that spell it', (code, lines) => {
  expect(linesSpelling(new TextLines(code), 'working outside of application context')).toEqual(lines);
});
