/** The words of the question against the words of a path. */
import type { FileFacts, PathModel, PathWord } from './file-facts.ts';
import type { Question } from './question.ts';

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
  readonly stem: string;
}

export function createPathMatchers(model: PathModel | undefined): PathMatchers {
  /** By the number of a word: its place among those of these files, from 1; 0 where it is none of them. */
  let places = new Uint32Array(0);
  /** By place: how alike the word is to each word of the question, and whether that asks for it. */
  let likenesses = new Float64Array(0);
  let isAsked = new Uint8Array(0);
  let numbers = new Uint32Array(0);
  let dots = new Float32Array(0);

  /** Each word of their paths once, with its place noted. */
  function placeWords(files: readonly FileFacts[]): readonly PathWord[] {
    const words: PathWord[] = [];
    places.fill(0);
    for (let at = 0; at < files.length; at++) {
      const pathWords = files[at]?.pathWords ?? [];
      for (let place = 0; place < pathWords.length; place++) {
        const path = pathWords[place];
        if (path === undefined || (places[path.number] ?? 0) > 0) continue;
        if (path.number >= places.length) {
          const larger = new Uint32Array(2 * path.number + 64);
          larger.set(places);
          places = larger;
        }
        places[path.number] = words.push(path);
      }
    }
    return words;
  }

  return (question, rarities, files) => {
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
    const asked = question.words.map((word, at): AskedWord => ({ word, stem: question.stems[at] ?? word }));
    const width = asked.length;
    const words = placeWords(files);
    if (words.length > numbers.length) {
      numbers = new Uint32Array(2 * words.length);
      dots = new Float32Array(2 * words.length);
      isAsked = new Uint8Array(2 * words.length);
    }
    if (words.length * width > likenesses.length) likenesses = new Float64Array(2 * words.length * width);
    words.forEach(({ number }, at) => (numbers[at] = number));
    asked.forEach(({ word }, column) => {
      model?.words.dots(model.encoder.encode(word), numbers, words.length, dots);
      for (let at = 0; at < words.length; at++) likenesses[at * width + column] = dots[at] ?? 0;
    });
    words.forEach((path, at) => {
      compare(asked, path, likenesses.subarray(at * width, (at + 1) * width));
      isAsked[at] = asked.some((one) => asksFor(one, path)) ? 1 : 0;
    });
    const placeOf = (path: PathWord | undefined): number => (places[path?.number ?? 0] ?? 0) - 1;

    return {
      coverage({ pathWords }) {
        if (total === 0) return 0;
        let sum = 0;
        for (let at = 0; at < width; at++) {
          let best = 0;
          for (let place = 0; place < pathWords.length; place++) {
            const like = likenesses[placeOf(pathWords[place]) * width + at] ?? 0;
            if (like > best) best = like;
          }
          sum += best * (rarities[at] ?? 0);
        }
        return sum / total;
      },
      isNamed({ stemWords }) {
        for (let place = 0; place < stemWords.length; place++) {
          if (isAsked[placeOf(stemWords[place])] === 0) return false;
        }
        return stemWords.length > 0;
      },
    };
  };
}

/** `out` has how near the words are in meaning; spelling counts as well. */
function compare(asked: readonly AskedWord[], path: PathWord, out: Float64Array): void {
  for (let at = 0; at < asked.length; at++) {
    const one = asked[at];
    if (one === undefined) continue;
    const least = sharePrefix(one.word, path.word, SHORTEST_LIKE_PREFIX) ? PREFIX_LIKENESS : 0;
    const isSame = one.word === path.word || one.stem === path.stem;
    out[at] = isSame ? 1 : Math.max(0, out[at] ?? 0, least);
  }
}

function asksFor({ word, stem }: AskedWord, path: PathWord): boolean {
  return stem === path.stem || sharePrefix(word, path.word, SHORTEST_NAME_PREFIX);
}

function sharePrefix(a: string, b: string, shortest: number): boolean {
  return a.length >= shortest && b.length >= shortest && (a.startsWith(b) || b.startsWith(a));
}
