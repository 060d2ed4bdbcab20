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

const UNKNOWN = 0;
const ASKED_FOR = 1;
const NOT_ASKED_FOR = 2;

export function createPathMatchers(model: PathModel | undefined): PathMatchers {
  /** A row per word of a path that was looked at: how alike it is to each word of the question. */
  let likenesses = new Float64Array(0);
  /** By the same numbers, whether the question asks for it. */
  let states = new Uint8Array(0);
  let numbers = new Uint32Array(0);
  let dots = new Float32Array(0);

  return (question, rarities, files) => {
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
    const asked = question.words.map((word, at): AskedWord => ({ word, stem: question.stems[at] ?? word }));
    const width = asked.length;
    states.fill(UNKNOWN);
    const words = distinctWords(files);
    if (words.length > numbers.length) {
      numbers = new Uint32Array(2 * words.length);
      dots = new Float32Array(2 * words.length);
    }
    words.forEach(({ number }, at) => (numbers[at] = number));
    asked.forEach(({ word }, column) => {
      model?.words.dots(model.encoder.encode(word), numbers, words.length, dots);
      for (let at = 0; at < words.length; at++)
        likenesses[(numbers[at] ?? 0) * width + column] = model === undefined ? 0 : (dots[at] ?? 0);
    });
    for (const path of words) {
      compare(asked, path, likenesses.subarray(path.number * width, (path.number + 1) * width));
      states[path.number] = asked.some((one) => asksFor(one, path)) ? ASKED_FOR : NOT_ASKED_FOR;
    }

    /** Each once; there is room for them in the tables afterwards. */
    function distinctWords(of: readonly FileFacts[]): PathWord[] {
      const found: PathWord[] = [];
      let most = -1;
      for (const { pathWords } of of) for (const { number } of pathWords) if (number > most) most = number;
      if (most >= states.length) states = new Uint8Array(2 * most + 64);
      if ((most + 1) * width > likenesses.length) likenesses = new Float64Array(2 * (most + 1) * width);
      for (const { pathWords } of of)
        for (const path of pathWords) {
          if (states[path.number] !== UNKNOWN) continue;
          states[path.number] = NOT_ASKED_FOR;
          found.push(path);
        }
      return found;
    }

    return {
      coverage({ pathWords }) {
        if (total === 0) return 0;
        let sum = 0;
        for (let at = 0; at < width; at++) {
          let best = 0;
          for (let place = 0; place < pathWords.length; place++) {
            const like = likenesses[(pathWords[place]?.number ?? 0) * width + at] ?? 0;
            if (like > best) best = like;
          }
          sum += best * (rarities[at] ?? 0);
        }
        return sum / total;
      },
      isNamed({ stemWords }) {
        for (let place = 0; place < stemWords.length; place++) {
          const path = stemWords[place];
          if (path !== undefined && states[path.number] === NOT_ASKED_FOR) return false;
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
