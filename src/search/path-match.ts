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

/** One word of a question against the words of paths, each looked at once. */
export class WordLikeness {
  readonly word: string;
  private readonly stem: string;
  private readonly vector: Float32Array | undefined;
  /** By the number of the path's word; -1 is not known yet. */
  private likenesses = new Float64Array(64).fill(-1);
  /** The same: 1 if the question asks for it by this word, 2 if not, 0 is not known yet. */
  private names = new Uint8Array(64);

  constructor(word: string, encoder: StaticEncoder | undefined) {
    this.word = word;
    this.stem = stem(word);
    this.vector = encoder?.encode(word);
  }

  to(path: PathWord): number {
    const known = this.likenesses[path.number] ?? -1;
    if (known >= 0) return known;
    if (path.number >= this.likenesses.length) this.grow(path.number * 2);
    return (this.likenesses[path.number] = likeness(this.word, this.stem, this.vector, path));
  }

  asksFor(path: PathWord): boolean {
    const known = this.names[path.number] ?? 0;
    if (known > 0) return known === 1;
    if (path.number >= this.likenesses.length) this.grow(path.number * 2);
    const asks = this.stem === path.stem || sharePrefix(this.word, path.word, SHORTEST_NAME_PREFIX);
    this.names[path.number] = asks ? 1 : 2;
    return asks;
  }

  private grow(size: number): void {
    const likenesses = new Float64Array(size).fill(-1);
    likenesses.set(this.likenesses);
    this.likenesses = likenesses;
    const names = new Uint8Array(size);
    names.set(this.names);
    this.names = names;
  }
}

/** How alike a word and the words of paths are; people ask with the same words again. */
export type Likenesses = (word: string) => WordLikeness;

export function createLikenesses(encoder: StaticEncoder | undefined): Likenesses {
  const words = new Map<string, WordLikeness>();
  return (word) => {
    const known = words.get(word);
    if (known !== undefined) return known;
    const made = new WordLikeness(word, encoder);
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
        const word = words[at];
        let best = 0;
        for (let place = 0; place < pathWords.length; place++) {
          const path = pathWords[place];
          const like = path === undefined || word === undefined ? 0 : word.to(path);
          if (like > best) best = like;
        }
        sum += best * (rarities[at] ?? 0);
      }
      return sum / total;
    },
    isNamed({ stemWords }) {
      for (const path of stemWords) if (!words.some((word) => word.asksFor(path))) return false;
      return stemWords.length > 0;
    },
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
