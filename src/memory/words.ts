/** The words an entry is found by, and those of a question. */
import { createStemFinder, identifiersIn, termsOf } from '../text/index.ts';

/** Longer texts are found by their beginning. */
const MOST_CHARS = 20_000;
const MOST_QUERY_WORDS = 60;

/** Words that say nothing about what is meant, as their stems. */
const STOP = new Set(
  (
    'a an and are as at be been but by can did do doe for from get got had has hav how i if in into is it its just me my no not of on or our ' +
    'out should so some than that the their them then there they thi this to us use was we were what when where which who why will with would you ' +
    'your about also any becau because befor after again ar ther wher thes thos whos hi'
  ).split(' '),
);

/** Words of any conversation: they are searched for, but that an entry holds them does not make it an answer. */
const FILLERS = new Set(
  (
    'hello hey thank pleas yes ok okay good great fine nice morn afternoon today tomorrow think help name day done one two thre four five go ' +
    'going know like see want make let tell say said time year who are you sound ahead mind never try mean interest continu joke sing song happy ' +
    'birthday once upon really mayb sorry sure well thing someth anyth noth everyth stuf now here very much more could shall might must ' +
    'error file code object type list line first found valu fail need function method class'
  ).split(' '),
);

const OTHER_SCRIPTS = /[\p{L}\p{N}_]{2,80}/gu;
const ASCII = /^[\u0020-\u007e]*$/;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Every word of a text as often as it occurs. Letters without accents only; see below for the others. */
export function wordsOf(text: string): readonly string[] {
  const start = text.slice(0, MOST_CHARS);
  const words = identifiersIn(start).flatMap((name) => termsOf(name).map(({ stem }) => stem));
  return BEYOND_ASCII.test(start) ? [...words, ...otherScripts(start)] : words;
}

/** Which of certain words a text holds. */
export type WordFinder = (text: string) => ReadonlySet<string>;

/** Finds the same as `wordsOf` would, in a fraction of its time. */
export function createWordFinder(words: readonly string[]): WordFinder {
  const wanted = new Set(words);
  const ascii = words.filter((word) => ASCII.test(word));
  const find = createStemFinder(ascii);
  return (text) => {
    const start = text.slice(0, MOST_CHARS);
    const found = new Set<string>();
    const pairs = find(start);
    for (let at = 1; at < pairs.length; at += 2) found.add(ascii[pairs[at] ?? 0] ?? '');
    if (BEYOND_ASCII.test(start))
      for (const word of otherScripts(start)) if (wanted.has(word)) found.add(word);
    return found;
  };
}

/** The words of a question that tell something; all of them if none does. */
export function queryWords(text: string): readonly string[] {
  const all = [...new Set(wordsOf(text))].filter((word) => word.length > 1);
  const telling = all.filter((word) => !STOP.has(word));
  return (telling.length === 0 ? all : telling).slice(0, MOST_QUERY_WORDS);
}

export function isFiller(word: string): boolean {
  return STOP.has(word) || FILLERS.has(word);
}

/** The words of a question by how `wordsOf` leaves them: readers are shown what they wrote, never a stem. */
export type WrittenWords = ReadonlyMap<string, string>;

export function wordsAsWritten(text: string): WrittenWords {
  const written = new Map<string, string>();
  for (const identifier of identifiersIn(text.slice(0, MOST_CHARS)))
    for (const { stem } of termsOf(identifier)) if (!written.has(stem)) written.set(stem, identifier.name);
  return written;
}

/** Scripts without blanks are cut into pairs, so that a part of a sentence finds the whole. */
function otherScripts(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(OTHER_SCRIPTS)) {
    if (ASCII.test(word)) continue;
    if (!UNSPACED.test(word)) words.push(word);
    else for (let at = 0; at + 2 <= word.length; at++) words.push(word.slice(at, at + 2));
  }
  return words;
}
