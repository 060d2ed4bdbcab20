/**
 * When an entry is near enough to be shown. Relevance alone cannot tell: an entry may hold the `machine` of "chocolate tempering
 * machine", and another one the `orders` of "suspicious orders". So a question also has to use words that this memory knows. Pure.
 */
import { isFiller } from './words.ts';

/** Both measured by `npm run bench:memory`, with 200 questions that the recall set has no answer to. */
const LEAST_NEARNESS = 1.605;
const PER_RARE_WORD = 0.35;
/** A memory of this many entries uses most words of its project; a small one cannot know them. */
const FULL_VOCABULARY = 300;
const LEAST_TRUST = 0.5;

export interface AskedWords {
  /** The words that say something, as `wordsOf` leaves them. */
  readonly telling: ReadonlySet<string>;
  /** 1 if the memory knows all of them, 0 if it knows none or none says anything. */
  readonly familiarity: number;
  /** What a word weighs that a single entry has. */
  readonly rareWeight: number;
}

/** `counts` says in how many entries a word occurs; words that occur in none are left out. */
export function weighWords(
  words: readonly string[],
  { counts, total }: { readonly counts: ReadonlyMap<string, number>; readonly total: number },
): AskedWords {
  const telling = words.filter((word) => !isFiller(word));
  const unknown = telling.filter((word) => !counts.has(word)).length / telling.length;
  const trust = Math.max(LEAST_TRUST, Math.min(1, Math.log(total + 1) / Math.log(FULL_VOCABULARY)));
  return {
    telling: new Set(telling),
    familiarity: telling.length === 0 ? 0 : 1 - unknown * trust,
    rareWeight: weightOf(1, total),
  };
}

/** How much a word tells: rare ones more. */
export function weightOf(count: number, total: number): number {
  return Math.log(1 + (total + 1) / (count + 0.5));
}

export interface Nearness {
  readonly relevance: number;
  /** Words of the question that the entry holds. */
  readonly shared: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
}

export function isNearEnough(asked: AskedWords, { relevance, shared, weights }: Nearness): boolean {
  const telling = shared.filter((word) => asked.telling.has(word));
  const weight = telling.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const rareWords = weight / asked.rareWeight;
  return relevance + PER_RARE_WORD * rareWords + asked.familiarity >= LEAST_NEARNESS;
}
