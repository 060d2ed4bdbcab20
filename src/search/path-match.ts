/** The words of the question against the words of a path. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { FileFacts, PathWord } from './file-facts.ts';
import type { Question } from './question.ts';

export interface PathMatcher {
  /** How well each word of the question finds a like one in the path, weighted by rarity; 0 to 1. */
  coverage(facts: FileFacts): number;
  /** Whether every word of the file's name is asked for. */
  isNamed(facts: FileFacts): boolean;
}

/** One per view. Each makes what was made before unusable: they share their table. */
export type PathMatchers = (question: Question, rarities: readonly number[]) => PathMatcher;

const PREFIX_LIKENESS = 0.8;
const SHORTEST_LIKE_PREFIX = 4;
const SHORTEST_NAME_PREFIX = 3;

interface AskedWord {
  readonly word: string;
  readonly stem: string;
  readonly vector: Float32Array | undefined;
}

const UNKNOWN = 0;
const ASKED_FOR = 1;
const NOT_ASKED_FOR = 2;

export function createPathMatchers(encoder: StaticEncoder | undefined): PathMatchers {
  /** A row per word of a path that was looked at: how alike it is to each word of the question. */
  let likenesses = new Float64Array(0);
  /** By the same numbers, whether the question asks for it. */
  let states = new Uint8Array(0);

  return (question, rarities) => {
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
    const asked = question.words.map((word, at): AskedWord => ({
      word,
      stem: question.stems[at] ?? word,
      vector: encoder?.encode(word),
    }));
    const width = asked.length;
    states.fill(UNKNOWN);

    const look = (path: PathWord): number => {
      const { number } = path;
      if (number >= states.length) states = grown(states, new Uint8Array(2 * number + 64));
      const from = number * width;
      if (from + width > likenesses.length)
        likenesses = grown(likenesses, new Float64Array(2 * (from + width)));
      compare(asked, path, likenesses.subarray(from, from + width));
      return (states[number] = asked.some((one) => asksFor(one, path)) ? ASKED_FOR : NOT_ASKED_FOR);
    };

    return {
      coverage({ pathWords }) {
        if (total === 0) return 0;
        for (let place = 0; place < pathWords.length; place++) {
          const path = pathWords[place];
          if (path !== undefined && (states[path.number] ?? UNKNOWN) === UNKNOWN) look(path);
        }
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
          if (path !== undefined && ((states[path.number] ?? UNKNOWN) || look(path)) === NOT_ASKED_FOR)
            return false;
        }
        return stemWords.length > 0;
      },
    };
  };
}

/** Four at a time: each sum waits for its last product, so that one alone leaves the machine idle. */
function compare(asked: readonly AskedWord[], path: PathWord, out: Float64Array): void {
  const { vector } = path;
  if (vector !== undefined)
    for (let at = 0; at < asked.length; at += 4) {
      const a = asked[at]?.vector ?? vector;
      const b = asked[at + 1]?.vector ?? vector;
      const c = asked[at + 2]?.vector ?? vector;
      const d = asked[at + 3]?.vector ?? vector;
      let sumA = 0;
      let sumB = 0;
      let sumC = 0;
      let sumD = 0;
      for (let dimension = 0; dimension < vector.length; dimension++) {
        const value = vector[dimension] ?? 0;
        sumA += (a[dimension] ?? 0) * value;
        sumB += (b[dimension] ?? 0) * value;
        sumC += (c[dimension] ?? 0) * value;
        sumD += (d[dimension] ?? 0) * value;
      }
      out[at] = sumA;
      // What lies behind the last word is not written.
      out[at + 1] = sumB;
      out[at + 2] = sumC;
      out[at + 3] = sumD;
    }
  else out.fill(0);
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

function grown<A extends Uint8Array | Float64Array>(values: A, larger: A): A {
  larger.set(values);
  return larger;
}
