/** In how many entries words occur, kept between searches: counting walks through every entry that holds the word. */
import type { MemoryStore } from '../storage/index.ts';

export interface WordCounts {
  of(store: MemoryStore, words: readonly string[]): Promise<Counted>;
}

export interface Counted {
  /** About how many entries there are. */
  readonly total: number;
  /** Words that occur nowhere are left out. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Below, counting costs nothing. */
const WORTH_KEEPING = 1_000;
/** Weights go by the logarithm: this much more or less changes none. */
const MOST_DRIFT = 0.05;
const MOST_WORDS = 20_000;

export function createWordCounts(): WordCounts {
  const kept = new Map<string, number>();
  let keptAt = 0;
  return {
    async of(store, words) {
      const total = (await store.frequencies([])).total;
      if (total < WORTH_KEEPING) return store.frequencies(words);
      if (Math.abs(total - keptAt) > MOST_DRIFT * keptAt || kept.size > MOST_WORDS) {
        kept.clear();
        keptAt = total;
      }
      const unknown = words.filter((word) => !kept.has(word));
      const fresh = (await store.frequencies(unknown)).counts;
      for (const word of unknown) kept.set(word, fresh.get(word) ?? 0);
      const counts = words.map((word) => [word, kept.get(word) ?? 0] as const);
      return { total, counts: new Map(counts.filter(([, count]) => count > 0)) };
    },
  };
}
