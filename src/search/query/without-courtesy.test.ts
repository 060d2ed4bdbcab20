import { expect, test } from 'vitest';
import { withoutCourtesy } from './without-courtesy.ts';

test.each([
  ['Hello there! Can you please show me how sessions expire? Many thanks in advance!', 'how sessions expire'],
  ['I was wondering how sessions expire in this codebase', 'how sessions expire'],
  ['we need to know where the retry limit is read', 'where the retry limit is read'],
  ['how sessions expire', 'how sessions expire'],
  ['thanks a lot', 'thanks a lot'],
  ['please', 'please'],
  ['show command of the CLI', 'show command of the CLI'],
])('%s is asked as %s', (text, question) => {
  expect(withoutCourtesy(text)).toBe(question);
});
