/** The words of the question against the words of a path. */
import type { FileFacts, PathWord } from './file-facts.ts';
import type { Question } from './question.ts';

export interface PathMatcher {
  /** How well each word of the question finds a like one in the path, weighted by rarity; 0 to 1. */
  coverage(facts: FileFacts): number;
  /** Whether every word of the file's name is asked for. */
  isNamed(facts: FileFacts): boolean;
}

const PREFIX_LIKENESS = 0.8;
const SHORTEST_LIKE_PREFIX = 4;
const SHORTEST_NAME_PREFIX = 3;

export function createPathMatcher(
  question: Question,
  rarities: readonly number[],
  vectors: readonly Float32Array[],
): PathMatcher {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const likenesses = new Map<PathWord, readonly number[]>();
  const likenessOf = (path: PathWord): readonly number[] => {
    const known = likenesses.get(path);
    if (known !== undefined) return known;
    const made = question.words.map((word, at) =>
      likeness(word, question.stems[at] ?? '', vectors[at], path),
    );
    likenesses.set(path, made);
    return made;
  };
  return {
    coverage({ pathWords }) {
      if (total === 0) return 0;
      const best = new Float64Array(question.words.length);
      for (const path of pathWords)
        likenessOf(path).forEach((value, at) => (best[at] = Math.max(best[at] ?? 0, value)));
      return best.reduce((sum, value, at) => sum + value * (rarities[at] ?? 0), 0) / total;
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
