/** A file's words, counted by chunk, and its definitions' words beside them. */
import type { Chunk, Definition } from '../core/index.ts';
import type { FileTerms, NameTerms, TermCounts } from '../storage/index.ts';
import { hashWord, type PathWords, type WordReader } from '../text/index.ts';
import { nameWeight } from './name-weight.ts';

export interface TermsInput {
  readonly chunks: readonly Chunk[];
  readonly definitions: readonly Definition[];
  readonly language: string | undefined;
  readonly place: PathWords;
  readonly solidLines: number;
}

const LARGEST_COUNT = 255;
const LARGEST_SOLID = 255;

export function fileTerms(input: TermsInput, words: WordReader): FileTerms {
  const dictionary = new Map<number, number>();
  const identifiers = new Set<number>();
  const placeOf = (hash: number): number => {
    const known = dictionary.get(hash);
    if (known !== undefined) return known;
    dictionary.set(hash, dictionary.size);
    return dictionary.size - 1;
  };
  const read = (text: string): number[] => words.read(text).flatMap(({ tokens }) => tokens.map(placeOf));

  const { stem, folders } = input.place;
  const name = read(stem);
  const path = [...name, ...name, ...read(folders.join(' '))];
  const chunks = input.chunks.map(({ startLine, endLine, text }) => {
    const tokens: number[] = [...path];
    for (const word of words.read(text)) {
      for (const token of word.tokens) tokens.push(placeOf(token));
      if (word.identifier !== 0) identifiers.add(word.identifier);
    }
    return { startLine, endLine, tokens };
  });
  const names = input.definitions.map((definition) => ({
    name: hashWord(definition.name),
    weight: nameWeight(definition.kind, input.language),
    startLine: definition.startLine,
    endLine: definition.endLine,
    terms: read(definition.name),
  }));

  const { terms, rank } = sortTerms(dictionary);
  return {
    terms,
    path: countTerms(path, rank),
    chunks: chunks.map(({ startLine, endLine, tokens }) => ({
      startLine,
      endLine,
      length: tokens.length,
      ...countTerms(tokens, rank),
    })),
    names: names.map((named): NameTerms => ({ ...named, terms: named.terms.map((at) => rank[at] ?? 0) })),
    identifiers: Uint32Array.from(identifiers).sort(),
    solidLines: Math.min(LARGEST_SOLID, input.solidLines),
  };
}

/** The hashes in ascending order, and where each place of the dictionary went. */
function sortTerms(dictionary: ReadonlyMap<number, number>): { terms: Uint32Array; rank: Uint32Array } {
  const terms = Uint32Array.from(dictionary.keys()).sort();
  const rank = new Uint32Array(terms.length);
  terms.forEach((hash, at) => (rank[dictionary.get(hash) ?? 0] = at));
  return { terms, rank };
}

function countTerms(places: readonly number[], rank: Uint32Array): TermCounts {
  const sorted = Uint32Array.from(places, (place) => rank[place] ?? 0).sort();
  const terms: number[] = [];
  const counts: number[] = [];
  for (let at = 0; at < sorted.length;) {
    let end = at + 1;
    while (end < sorted.length && sorted[end] === sorted[at]) end++;
    terms.push(sorted[at] ?? 0);
    counts.push(Math.min(LARGEST_COUNT, end - at));
    at = end;
  }
  return { terms, counts };
}
