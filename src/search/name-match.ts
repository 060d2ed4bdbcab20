/** The words of the question against the definitions of a file. */
import { hashWord } from '../text/index.ts';
import type { FileFacts } from './file-facts.ts';
import type { Question } from './question.ts';
import type { Segment } from './segment.ts';

export interface NameMatcher {
  /** The best of a file's definitions, 0 to 1. */
  best(facts: FileFacts): number;
  /** Those of a file's definitions that hold any of the words, by their places in the segment's names. */
  forEachLike(segment: Segment, local: number, see: (definition: number, like: number) => void): void;
}

/** The segment's numbers of the question's words. */
interface WantedTerms {
  /** How rare they are. */
  readonly rarities: ReadonlyMap<number, number>;
  /** 1 where one of them has this rest: nearly every other term is passed over by it. */
  readonly marks: Uint8Array;
}

/** A power of two. */
const MARKS = 1024;

export function createNameMatcher(question: Question, rarities: readonly number[]): NameMatcher {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const hashes = question.stems.map(hashWord);
  const termsOf = new Map<Segment, WantedTerms>();
  const termsIn = (segment: Segment): WantedTerms => {
    const known = termsOf.get(segment);
    if (known !== undefined) return known;
    const made = { rarities: new Map<number, number>(), marks: new Uint8Array(MARKS) };
    hashes.forEach((hash, at) => {
      const term = segment.terms.get(hash);
      if (term < 0) return;
      made.rarities.set(term, rarities[at] ?? 0);
      made.marks[term & (MARKS - 1)] = 1;
    });
    termsOf.set(segment, made);
    return made;
  };
  const score = (segment: Segment, definition: number, wanted: WantedTerms): number => {
    const { terms, termOffsets } = segment.names;
    const end = termOffsets[definition + 1] ?? 0;
    let at = termOffsets[definition] ?? 0;
    // The whole name stands before its parts, where it has any.
    if (end - at > 1) at += 1;
    let sum = 0;
    let hits = 0;
    const parts = end - at;
    for (; at < end; at++) {
      const term = terms[at] ?? 0;
      if (wanted.marks[term & (MARKS - 1)] === 0) continue;
      const rarity = wanted.rarities.get(term);
      if (rarity === undefined) continue;
      sum += rarity;
      hits += 1;
    }
    return hits === 0 ? 0 : (Math.min(sum, total) / total) * Math.sqrt(Math.min(1, hits / parts));
  };
  const forEachLike: NameMatcher['forEachLike'] = (segment, local, see) => {
    const wanted = termsIn(segment);
    if (total === 0 || wanted.rarities.size === 0) return;
    const { offsets, terms, termOffsets } = segment.names;
    const { marks } = wanted;
    let definition = offsets[local] ?? 0;
    const end = termOffsets[offsets[local + 1] ?? 0] ?? 0;
    // Their terms lie one behind the other, and hardly any is wanted: whose it is need be known of those alone.
    for (let at = termOffsets[definition] ?? 0; at < end; at++) {
      if (marks[(terms[at] ?? 0) & (MARKS - 1)] === 0) continue;
      while ((termOffsets[definition + 1] ?? end) <= at) definition += 1;
      const like = score(segment, definition, wanted);
      if (like > 0) see(definition, like);
      at = (termOffsets[definition + 1] ?? end) - 1;
    }
  };
  return {
    best({ segment, local }) {
      let best = 0;
      forEachLike(segment, local, (_, like) => {
        if (like > best) best = like;
      });
      return best;
    },
    forEachLike,
  };
}
