/** What an answer costs until it helps, counted with a real tokenizer on the text that is really returned. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Hit } from '../../src/search/index.ts';
import { renderHit } from '../../src/search/index.ts';
import type { Target } from './annotations.ts';
import { mean, shows } from './ndcg.ts';

export const WITHIN = [500, 1_000, 2_000] as const;

export interface TokenCost {
  /** The share of targets that stand within so many tokens. */
  readonly recall: readonly number[];
  /** Tokens up to the end of the first right hit; of all hits if there is none. */
  readonly first: number;
  readonly perHit: number;
}

export function tokenCost(hits: readonly Hit[], targets: readonly Target[]): TokenCost {
  const ends: number[] = [];
  let used = 0;
  for (const hit of hits) {
    // As it stands in an answer: behind every hit is a blank line.
    used += encode(`${renderHit(hit)}\n\n`).length;
    ends.push(used);
  }
  const places = targets.map((target) => hits.findIndex((hit) => shows(hit, target)));
  const firstPlace = Math.min(...places.map((place) => (place < 0 ? Infinity : place)));
  return {
    recall: WITHIN.map((most) =>
      mean(places.map((place) => (place >= 0 && (ends[place] ?? Infinity) <= most ? 1 : 0))),
    ),
    first: ends[firstPlace] ?? used,
    perHit: hits.length === 0 ? 0 : used / hits.length,
  };
}
