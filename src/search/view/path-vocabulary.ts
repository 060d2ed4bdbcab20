/** The words of a view's paths, by numbers: what is compared with each question is worked out once. */
import { createDotTable, type StaticEncoder } from '../../embedding/index.ts';
import { stem } from '../../text/index.ts';
import { GrowingNumbers } from './growing.ts';

export interface PathVocabulary {
  /** From 0, in the order in which they were first seen. */
  numberOf(word: string): number;
  /** Puts the words of one path behind those of the others, so that what is compared lies together; where they begin. */
  list(numbers: readonly number[]): number;
  /** The words of all paths, until more are put there. */
  listed(): Uint32Array;
  readonly count: number;
  wordAt(number: number): string;
  /** Words of one stem share its number; -1 where no word has it. */
  stemNumberOf(stem: string): number;
  stemAt(number: number): number;
  /** As `headOf` has it. */
  headAt(number: number): number;
  /** How near in meaning a word is to each of the first `count` numbered ones, into `out`; zeros without a model. */
  nearness(word: string, numbers: Uint32Array, count: number, out: Float32Array): void;
}

const HEAD = 3;
/** The same words are asked for again and again, and most are in one question only. */
const MOST_ASKED = 256;

export function createPathVocabulary(encoder: StaticEncoder | undefined): PathVocabulary {
  const rows = encoder === undefined ? undefined : createDotTable(encoder.dimensions);
  const numbers = new Map<string, number>();
  const stemNumbers = new Map<string, number>();
  const words: string[] = [];
  const stems: number[] = [];
  const heads: number[] = [];
  const asked = new Map<string, Float32Array>();
  const listed = new GrowingNumbers();

  function add(word: string): number {
    // First: a word must not have a number without a row.
    if (encoder !== undefined) rows?.add(encoder.encode(word));
    const stemmed = stem(word);
    const stemNumber = stemNumbers.get(stemmed) ?? stemNumbers.size;
    stemNumbers.set(stemmed, stemNumber);
    const number = words.push(word) - 1;
    stems.push(stemNumber);
    heads.push(headOf(word));
    numbers.set(word, number);
    return number;
  }

  function vectorOf(word: string, { encode }: StaticEncoder): Float32Array {
    const known = asked.get(word);
    if (known !== undefined) return known;
    if (asked.size >= MOST_ASKED) asked.clear();
    const made = encode(word);
    asked.set(word, made);
    return made;
  }

  return {
    numberOf: (word) => numbers.get(word) ?? add(word),
    list(some) {
      const first = listed.length;
      for (const number of some) listed.push(number);
      return first;
    },
    listed: () => listed.view(),
    get count() {
      return words.length;
    },
    wordAt: (number) => words[number] ?? '',
    stemNumberOf: (stemmed) => stemNumbers.get(stemmed) ?? -1,
    stemAt: (number) => stems[number] ?? -1,
    headAt: (number) => heads[number] ?? -1,
    nearness(word, some, count, out) {
      if (encoder === undefined || rows === undefined) out.fill(0, 0, count);
      else rows.dots(vectorOf(word, encoder), some, count, out);
    },
  };
}

/** Two words that begin alike have the same; -1 for one too short to begin like another. */
export function headOf(word: string): number {
  if (word.length < HEAD) return -1;
  return (word.charCodeAt(0) * 31 + word.charCodeAt(1)) * 31 + word.charCodeAt(2);
}
