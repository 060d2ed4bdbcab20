/** A file's words, counted by chunk, and its definitions' words beside them. */
import type { Definition, LineRange } from '../core/index.ts';
import type { FileTerms, NameTerms, TermCounts } from '../storage/index.ts';
import { hashWord, type CodeWords, type PathWords, type WordCounts } from '../text/index.ts';
import { nameWeight } from './name-weight.ts';

/** Its words are numbers of the counter's `CodeWords`. */
export interface CountedChunk extends LineRange, WordCounts {}

export interface TermsInput {
  readonly chunks: readonly CountedChunk[];
  readonly definitions: readonly Definition[];
  readonly language: string | undefined;
  readonly place: PathWords;
  readonly solidLines: number;
}

export type TermCounter = (input: TermsInput) => FileTerms;

const LARGEST_COUNT = 255;
const LARGEST_SOLID = 255;
/** Two numbers in one, so that sorting needs no function: a hash and a term's number, a term's rank and its count. */
const TERM_ROOM = 2 ** 21;
const COUNT_ROOM = LARGEST_COUNT + 1;

/** Terms by their numbers, and how often each is there. */
interface Counted {
  readonly terms: readonly number[];
  readonly counts: Uint8Array;
  /** Words in all. */
  readonly length: number;
}

/** One for many files: what it counts with is used again. */
export function createTermCounter(words: CodeWords): TermCounter {
  // By the number of a term; all 0 between files, and `counts` between chunks.
  let counts = new Uint32Array(65_536);
  let ranks = new Uint32Array(65_536);

  const countTerms = (
    some: readonly (readonly [ArrayLike<number>, ArrayLike<number> | number])[],
  ): Counted => {
    const terms: number[] = [];
    let length = 0;
    for (const [numbers, times] of some)
      for (let at = 0; at < numbers.length; at++) {
        const own = words.termsOf(numbers[at] ?? 0);
        const count = typeof times === 'number' ? times : (times[at] ?? 0);
        for (let part = 0; part < own.length; part++) {
          const term = own[part] ?? 0;
          const before = counts[term] ?? 0;
          if (before === 0) terms.push(term);
          counts[term] = before + count;
        }
        length += own.length * count;
      }
    const taken = new Uint8Array(terms.length);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] ?? 0;
      taken[at] = Math.min(LARGEST_COUNT, counts[term] ?? 0);
      counts[term] = 0;
    }
    return { terms, counts: taken, length };
  };

  /** By ascending rank. */
  const ranked = (counted: Counted): TermCounts => {
    const size = counted.terms.length;
    const keys = new Uint32Array(size);
    for (let at = 0; at < size; at++)
      keys[at] = (ranks[counted.terms[at] ?? 0] ?? 0) * COUNT_ROOM + (counted.counts[at] ?? 0);
    keys.sort();
    const sorted = new Uint8Array(size);
    for (let at = 0; at < size; at++) {
      const key = keys[at] ?? 0;
      sorted[at] = key & LARGEST_COUNT;
      keys[at] = key >>> 8;
    }
    return { terms: keys, counts: sorted };
  };

  /** Gives every term its rank by hash; the hashes in that order. */
  const rankAll = (lists: readonly (readonly number[])[]): Uint32Array => {
    const all: number[] = [];
    for (const list of lists)
      for (const term of list) {
        if (ranks[term] !== 0) continue;
        ranks[term] = 1;
        all.push(term);
      }
    const keys = Float64Array.from(all, (term) => words.hashOfTerm(term) * TERM_ROOM + term).sort();
    const hashes = new Uint32Array(keys.length);
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? 0;
      const hash = Math.floor(key / TERM_ROOM);
      hashes[at] = hash;
      ranks[key - hash * TERM_ROOM] = at;
    }
    return hashes;
  };

  return ({ chunks, definitions, language, place, solidLines }) => {
    const [stem, folders] = [words.read(place.stem), words.read(place.folders.join(' '))];
    const named = definitions.map(({ name }) => [...words.read(name)].flatMap((word) => words.termsOf(word)));
    const room = words.termCount;
    if (room > ranks.length) [counts, ranks] = [new Uint32Array(room * 2), new Uint32Array(room * 2)];
    const path = [
      [stem, 2],
      [folders, 1],
    ] as const;
    const pathTerms = countTerms(path);
    const counted = chunks.map((chunk) => countTerms([...path, [chunk.words, chunk.counts]]));
    const lists = [pathTerms.terms, ...counted.map(({ terms }) => terms), ...named];
    const terms = rankAll(lists);
    const file: FileTerms = {
      terms,
      path: ranked(pathTerms),
      chunks: counted.map((one, at) => ({
        startLine: chunks[at]?.startLine ?? 0,
        endLine: chunks[at]?.endLine ?? 0,
        length: one.length,
        ...ranked(one),
      })),
      names: definitions.map((definition, at): NameTerms => ({
        name: hashWord(definition.name),
        weight: nameWeight(definition.kind, language),
        startLine: definition.startLine,
        endLine: definition.endLine,
        terms: Uint32Array.from(named[at] ?? [], (term) => ranks[term] ?? 0),
      })),
      identifiers: identifiersIn(chunks, words),
      solidLines: Math.min(LARGEST_SOLID, solidLines),
    };
    for (const list of lists) for (const term of list) ranks[term] = 0;
    return file;
  };
}

function identifiersIn(chunks: readonly CountedChunk[], words: CodeWords): Uint32Array {
  const identifiers = new Set<number>();
  for (const chunk of chunks)
    for (let at = 0; at < chunk.words.length; at++) {
      const identifier = words.identifierOf(chunk.words[at] ?? 0);
      if (identifier !== 0) identifiers.add(identifier);
    }
  return Uint32Array.from(identifiers).sort();
}
