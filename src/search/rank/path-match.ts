/** The words of the question against the words of a path. */
import type { Question } from '../query/question.ts';
import { headOf, type FileFacts, type PathVocabulary } from '../view/file-facts.ts';

export interface PathMatcher {
  /** How well each word of the question finds a like one in the path, weighted by rarity; 0 to 1. */
  coverage(facts: FileFacts): number;
  /** Whether every word of the file's name is asked for. */
  isNamed(facts: FileFacts): boolean;
}

/** One per view, for these files. Each makes what was made before unusable: they share their table. */
export type PathMatchers = (
  question: Question,
  rarities: readonly number[],
  files: readonly FileFacts[],
) => PathMatcher;

const PREFIX_LIKENESS = 0.8;
const SHORTEST_LIKE_PREFIX = 4;
const SHORTEST_NAME_PREFIX = 3;

interface AskedWord {
  readonly word: string;
  /** The number of its stem; -1 where no path has it. */
  readonly stem: number;
  readonly head: number;
}

export function createPathMatchers(words: PathVocabulary): PathMatchers {
  /** By the number of a word: its place among those of these files, from 1; 0 where it is none of them. */
  let places = new Uint32Array(0);
  /** By place: the number of the word, how alike it is to each word of the question, and whether that asks for it. */
  let numbers = new Uint32Array(0);
  let likenesses = new Float64Array(0);
  let isAsked = new Uint8Array(0);
  let dots = new Float32Array(0);

  /** Each word of their paths once, with its place noted; how many there are. */
  function placeWords(files: readonly FileFacts[], listed: Uint32Array): number {
    if (words.count > places.length) {
      const room = 2 * words.count;
      places = new Uint32Array(room);
      numbers = new Uint32Array(room);
      isAsked = new Uint8Array(room);
      dots = new Float32Array(room);
    } else places.fill(0);
    let count = 0;
    for (const { firstWord, wordEnd } of files) {
      for (let at = firstWord; at < wordEnd; at++) {
        const number = listed[at] ?? 0;
        if (places[number] !== 0) continue;
        numbers[count] = number;
        places[number] = ++count;
      }
    }
    return count;
  }

  /** How alike one word of the question is to each word that has a place. */
  function compare({ word, stem, head }: AskedWord, column: number, width: number, count: number): void {
    words.nearness(word, numbers, count, dots);
    for (let at = 0; at < count; at++) {
      const number = numbers[at] ?? 0;
      const place = at * width + column;
      if (words.stemAt(number) === stem) {
        likenesses[place] = 1;
        isAsked[at] = 1;
        continue;
      }
      let like = Math.max(0, dots[at] ?? 0);
      // Hardly any begins alike, and one number tells.
      if (words.headAt(number) === head && head >= 0) {
        const path = words.wordAt(number);
        if (sharePrefix(word, path, SHORTEST_NAME_PREFIX)) isAsked[at] = 1;
        if (sharePrefix(word, path, SHORTEST_LIKE_PREFIX)) like = Math.max(like, PREFIX_LIKENESS);
      }
      likenesses[place] = like;
    }
  }

  return (question, rarities, files) => {
    let total = 0;
    for (let at = 0; at < rarities.length; at++) total += rarities[at] ?? 0;
    const width = question.words.length;
    const listed = words.listed();
    const count = placeWords(files, listed);
    if (count * width > likenesses.length) likenesses = new Float64Array(2 * count * width);
    isAsked.fill(0, 0, count);
    question.words.forEach((word, at) =>
      compare(
        { word, stem: words.stemNumberOf(question.stems[at] ?? 0), head: headOf(word) },
        at,
        width,
        count,
      ),
    );

    return {
      coverage({ firstWord, wordEnd }) {
        if (total === 0) return 0;
        let sum = 0;
        for (let at = 0; at < width; at++) {
          let best = 0;
          for (let word = firstWord; word < wordEnd; word++) {
            const place = (places[listed[word] ?? 0] ?? 0) - 1;
            const like = likenesses[place * width + at] ?? 0;
            if (like > best) best = like;
          }
          sum += best * (rarities[at] ?? 0);
        }
        return sum / total;
      },
      isNamed({ firstWord, stemEnd }) {
        for (let word = firstWord; word < stemEnd; word++)
          if (isAsked[(places[listed[word] ?? 0] ?? 0) - 1] === 0) return false;
        return stemEnd > firstWord;
      },
    };
  };
}

function sharePrefix(a: string, b: string, shortest: number): boolean {
  return a.length >= shortest && b.length >= shortest && (a.startsWith(b) || b.startsWith(a));
}
