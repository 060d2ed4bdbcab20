/** The words of the question against the words of a path. */
import type { StaticEncoder } from '../embedding/index.ts';
import { stem } from '../text/index.ts';
import type { FileFacts, PathWord } from './file-facts.ts';
import type { Question } from './question.ts';

export interface PathMatcher {
  /** How well each word of the question finds a like one in the path, weighted by rarity; 0 to 1. */
  coverage(facts: FileFacts): number;
  /** Whether every word of the file's name is asked for. */
  isNamed(facts: FileFacts): boolean;
}

const MOST_WORDS = 256;
const PREFIX_LIKENESS = 0.8;
const SHORTEST_LIKE_PREFIX = 4;
const SHORTEST_NAME_PREFIX = 3;

/** How alike a word and a word of a path are; people ask with the same words again. */
export type Likenesses = (word: string) => (path: PathWord) => number;

export function createLikenesses(encoder: StaticEncoder | undefined): Likenesses {
  const words = new Map<string, (path: PathWord) => number>();
  return (word) => {
    const known = words.get(word);
    if (known !== undefined) return known;
    // By the number of the path's word; -1 is not known yet.
    let found = new Float64Array(64).fill(-1);
    const [stemmed, vector] = [stem(word), encoder?.encode(word)];
    const made = (path: PathWord): number => {
      const { number } = path;
      if (number >= found.length) {
        const larger = new Float64Array(number * 2).fill(-1);
        larger.set(found);
        found = larger;
      }
      const known = found[number] ?? -1;
      return known >= 0 ? known : (found[number] = likeness(word, stemmed, vector, path));
    };
    if (words.size >= MOST_WORDS) words.clear();
    words.set(word, made);
    return made;
  };
}

export function createPathMatcher(
  question: Question,
  rarities: readonly number[],
  likenesses: Likenesses,
): PathMatcher {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const words = question.words.map(likenesses);
  return {
    coverage({ pathWords }) {
      if (total === 0) return 0;
      let sum = 0;
      for (let at = 0; at < words.length; at++) {
        const likenessTo = words[at];
        let best = 0;
        for (const path of pathWords) {
          const like = likenessTo?.(path) ?? 0;
          if (like > best) best = like;
        }
        sum += best * (rarities[at] ?? 0);
      }
      return sum / total;
    },
    isNamed: ({ stemWords }) =>
      stemWords.length > 0 &&
      stemWords.every((path) =>
        question.words.some(
          (word, at) =>
            question.stems[at] === path.stem || sharePrefix(word, path.word, SHORTEST_NAME_PREFIX),
        ),
      ),
  };
}

function likeness(word: string, stem: string, vector: Float32Array | undefined, path: PathWord): number {
  if (word === path.word || stem === path.stem) return 1;
  let cosine = 0;
  if (vector !== undefined && path.vector !== undefined)
    for (let d = 0; d < vector.length; d++) cosine += (vector[d] ?? 0) * (path.vector[d] ?? 0);
  const least = sharePrefix(word, path.word, SHORTEST_LIKE_PREFIX) ? PREFIX_LIKENESS : 0;
  return Math.max(0, cosine, least);
}

function sharePrefix(a: string, b: string, shortest: number): boolean {
  return a.length >= shortest && b.length >= shortest && (a.startsWith(b) || b.startsWith(a));
}
