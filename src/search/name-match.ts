/** The words of the question against the definitions of a file. */
import { hashWord } from '../text/index.ts';
import type { FileFacts } from './file-facts.ts';
import type { Question } from './question.ts';
import type { Segment } from './segment.ts';

export interface NameMatcher {
  /** The best of a file's definitions, 0 to 1. */
  best(facts: FileFacts): number;
  /** One definition, by its place in the segment's names. */
  of(segment: Segment, definition: number): number;
}

export function createNameMatcher(question: Question, rarities: readonly number[]): NameMatcher {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const hashes = question.stems.map(hashWord);
  const termsOf = new Map<Segment, ReadonlyMap<number, number>>();
  /** The segment's numbers of the question's words, and how rare they are. */
  const termsIn = (segment: Segment): ReadonlyMap<number, number> => {
    const known = termsOf.get(segment);
    if (known !== undefined) return known;
    const made = new Map<number, number>();
    hashes.forEach((hash, at) => {
      const term = segment.terms.get(hash);
      if (term >= 0) made.set(term, rarities[at] ?? 0);
    });
    termsOf.set(segment, made);
    return made;
  };
  const score = (segment: Segment, definition: number, wanted: ReadonlyMap<number, number>): number => {
    const { terms, termOffsets } = segment.names;
    const end = termOffsets[definition + 1] ?? 0;
    let at = termOffsets[definition] ?? 0;
    // The whole name stands before its parts, where it has any.
    if (end - at > 1) at += 1;
    let [sum, hits] = [0, 0];
    const parts = end - at;
    for (; at < end; at++) {
      const rarity = wanted.get(terms[at] ?? 0);
      if (rarity === undefined) continue;
      sum += rarity;
      hits += 1;
    }
    return hits === 0 ? 0 : (Math.min(sum, total) / total) * Math.sqrt(Math.min(1, hits / parts));
  };
  return {
    best({ segment, local }) {
      const wanted = termsIn(segment);
      if (total === 0 || wanted.size === 0) return 0;
      const { offsets } = segment.names;
      let best = 0;
      for (let at = offsets[local] ?? 0; at < (offsets[local + 1] ?? 0); at++)
        best = Math.max(best, score(segment, at, wanted));
      return best;
    },
    of: (segment, definition) => (total === 0 ? 0 : score(segment, definition, termsIn(segment))),
  };
}
