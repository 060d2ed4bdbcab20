import { expect, test } from 'vitest';
import { hashWord } from '../../text/index.ts';
import { readQuestion, withoutCourtesy } from './question.ts';

test.each([
  ['SessionStore', true, ['SessionStore']],
  ['SessionStore.get', true, ['get', 'SessionStore.get']],
  ['std::vector', true, ['vector', 'std::vector']],
  ['$router', true, ['$router']],
  ['how does SessionStore expire', false, ['SessionStore']],
  ['where is app.set used', false, ['set', 'app.set']],
  ['parse_url and HTTP', false, ['parse_url', 'HTTP']],
  ['Where are sessions', false, []],
])('%s', (text, isSymbol, spelled) => {
  const question = readQuestion(text);

  expect(question).toMatchObject({ isSymbol, spelled });
  expect(question.names).toEqual(spelled.map(hashWord));
});

test('stop words are left out, unless there is nothing else', () => {
  expect(readQuestion('how are the sessions expired').words).toEqual(['sessions', 'expired']);
  expect(readQuestion('how is it').words).toEqual(['how', 'is', 'it']);
});

test('a word that is asked for twice counts twice', () => {
  const { tokens } = readQuestion('retry retries upload');

  expect([...tokens.values()].toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test('questions about tests, examples and docs are known by their words', () => {
  expect(readQuestion('test of the parser').wantsSpecial).toBe(true);
  expect(readQuestion('latest contest').wantsSpecial).toBe(false);
});

test('words of other scripts are no tokens, and break nothing', () => {
  expect(readQuestion('日本語 ☃ \u0000').tokens.size).toBe(0);
});

test('of a pasted text the first 128 words are compared with paths', () => {
  const words = Array.from(
    { length: 200 },
    (_, at) => `word${'abcdefghij'[at % 10]}${'klmnopqrstuvwxyzabcd'[Math.floor(at / 10)]}`,
  );

  expect(readQuestion(words.join(' ')).words).toEqual(words.slice(0, 128));
});

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
