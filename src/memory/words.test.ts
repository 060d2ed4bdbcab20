import { expect, test } from 'vitest';
import { createWordFinder, queryWords, wordsOf } from './words.ts';

test.each([
  'Retrying the uploads of parseHTTPUrl_v2 in src/upload_queue.ts',
  'flies tries bus classes passing stopped indexing INDEXES I a io',
  'Größe der Datei überschritten, größer als 日本語のテキスト',
  '',
])('the finder finds what the words of a text are: %j', (text) => {
  const words = [...new Set(wordsOf(text))];
  const find = createWordFinder([...words, 'absent']);

  expect([...find(text)].toSorted()).toEqual(words.toSorted());
});

test('a question keeps the words that tell something, or all if none does', () => {
  expect(queryWords('how do we retry the uploads')).toEqual(['retry', 'upload']);
  expect(queryWords('what is this')).toEqual(['what', 'is', 'thi']);
});
