/** The words of the question against the definitions of a file. */
import { hashWord } from '../../text/index.ts';
import type { FileFacts } from '../view/file-facts.ts';
import type { Question } from '../query/question.ts';
import type { Segment } from '../view/segment.ts';

export interface NameMatcher {
  /** The best of a file's definitions, 0 to 1. */
  best(facts: FileFacts): number;
  /** Those of a file's definitions that hold any of the words, by their places in the segment's names. */
  forEachLike(facts: FileFacts, see: (definition: number, like: number) => void): void;
}

interface WantedTerms {
  /** The segment's numbers of the question's words, and how rare they are. */
  readonly terms: readonly number[];
  readonly rarities: readonly number[];
  /** By the rest of a number: the place of the first of them that has it, plus one. 0 for nearly every other term. */
  readonly marks: Uint16Array;
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
    const terms: number[] = [];
    const rare: number[] = [];
    const made = { terms, rarities: rare, marks: new Uint16Array(MARKS) };
    hashes.forEach((hash, at) => {
      const term = segment.terms.get(hash);
      if (term < 0) return;
      const place = terms.push(term);
      rare.push(rarities[at] ?? 0);
      made.marks[term & (MARKS - 1)] ||= place;
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
      const rarity = rarityIn(wanted, terms[at] ?? 0);
      if (rarity < 0) continue;
      sum += rarity;
      hits += 1;
    }
    return hits === 0 ? 0 : (Math.min(sum, total) / total) * Math.sqrt(Math.min(1, hits / parts));
  };
  const forEachLike: NameMatcher['forEachLike'] = ({ segment, local, firstTerm, termEnd }, see) => {
    const wanted = termsIn(segment);
    if (total === 0 || wanted.terms.length === 0) return;
    const { offsets, terms, termOffsets } = segment.names;
    const { marks } = wanted;
    let definition = offsets[local] ?? 0;
    // Their terms lie one behind the other, and hardly any is wanted: whose it is need be known of those alone.
    for (let at = firstTerm; at < termEnd; at++) {
      if (marks[(terms[at] ?? 0) & (MARKS - 1)] === 0) continue;
      while ((termOffsets[definition + 1] ?? termEnd) <= at) definition += 1;
      const like = score(segment, definition, wanted);
      if (like > 0) see(definition, like);
      at = (termOffsets[definition + 1] ?? termEnd) - 1;
    }
  };
  return {
    best(facts) {
      let best = 0;
      forEachLike(facts, (_, like) => {
        if (like > best) best = like;
      });
      return best;
    },
    forEachLike,
  };
}

/** -1 for a term that is not wanted. */
function rarityIn({ terms, rarities, marks }: WantedTerms, term: number): number {
  const mark = marks[term & (MARKS - 1)] ?? 0;
  if (mark === 0) return -1;
  for (let at = mark - 1; at < terms.length; at++) if (terms[at] === term) return rarities[at] ?? 0;
  return -1;
}
