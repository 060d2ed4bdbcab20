import { expect, test } from 'vitest';
import { partsIn } from '../../text/index.ts';
import { mendTypos } from './mend-typos.ts';

const PASSAGES = new Map(
  Object.entries({ session: 9, expired: 5, catch: 8, idle: 2, sessions: 9, stores: 3 }).flatMap(
    ([word, count]) => partsIn(word).map(({ hash }) => [hash, count] as const),
  ),
);
const KNOWN = {
  isHeld: (stem: number) => PASSAGES.has(stem),
  passages: (stem: number) => PASSAGES.get(stem) ?? 0,
  isWord: (word: string) => word === 'caching',
};

test.each([
  ['how are sesions expired', 'how are sessions expired'],
  ['how are sessions exipred', 'how are sessions expired'],
  ['where is Sessoin kept', 'where is session kept'],
  ['caching of sessions', 'caching of sessions'],
  ['kubernetes sessions', 'kubernetes sessions'],
  ['getSesion of the store', 'getSesion of the store'],
  ['idel session', 'idel session'],
])('%s is read as %s', (text, read) => {
  expect(mendTypos(text, KNOWN).text).toBe(read);
});

test('says what it read', () => {
  expect(mendTypos('sesion and exipred', KNOWN).notes).toEqual([
    'no file holds `sesion`: read as `session`',
    'no file holds `exipred`: read as `expired`',
  ]);
});
