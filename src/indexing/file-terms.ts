/** A file's words, counted by chunk, and its definitions' words beside them. */
import { nameWeight, type Definition, type LineRange } from '../core/index.ts';
import type { FileTerms, NameTerms, TermCounts } from '../storage/index.ts';
import { hashWord, type CodeWords, type PathWords, type WordCounts } from '../text/index.ts';
import { PostingPile } from './posting-pile.ts';

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

const LARGEST_SOLID = 255;

/** One for many files: what it counts with is used again. */
export function createTermCounter(words: CodeWords): TermCounter {
  const pile = new PostingPile(words);

  return ({ chunks, definitions, language, place, solidLines }) => {
    const [stem, folders] = [words.read(place.stem), words.read(place.folders.join(' '))];
    const named = definitions.map(({ name }) => words.read(name));
    pile.begin();
    const addPath = (): void => {
      pile.addAll(stem, 2);
      pile.addAll(folders, 1);
    };
    addPath();
    pile.endList();
    for (const chunk of chunks) {
      addPath();
      pile.addCounted(chunk.words, chunk.counts);
      pile.endList();
    }
    for (const name of named) pile.note(name);
    const { terms, lists, rankOf } = pile.done();
    const [path = NO_TERMS, ...counted] = lists;
    return {
      terms,
      path,
      chunks: chunks.map(({ startLine, endLine }, at) => ({
        startLine,
        endLine,
        ...(counted[at] ?? NO_TERMS),
      })),
      names: definitions.map((definition, at): NameTerms => ({
        name: hashWord(definition.name),
        weight: nameWeight(definition.kind, language),
        startLine: definition.startLine,
        endLine: definition.endLine,
        terms: ranksOf(named[at] ?? new Uint32Array(), words, rankOf),
      })),
      identifiers: pile.identifiers(chunks),
      solidLines: Math.min(LARGEST_SOLID, solidLines),
    };
  };
}

const NO_TERMS: TermCounts & { readonly length: number } = { terms: [], counts: [], length: 0 };

/** The terms of words one after the other, by rank. */
function ranksOf(some: Uint32Array, words: CodeWords, rankOf: (term: number) => number): number[] {
  const ranks: number[] = [];
  for (const word of some) for (const term of words.termsOf(word)) ranks.push(rankOf(term));
  return ranks;
}
