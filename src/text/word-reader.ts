/** The words of a text as numbers. Code repeats its identifiers, so each is taken apart once and remembered. */
import { ownCopy } from './own-copy.ts';
import { identifiersIn, tokensOf } from './tokens.ts';
import { hashWord } from './word-hash.ts';

export interface ReadWord {
  /** Hashes of its tokens: the whole, then its parts. */
  readonly tokens: readonly number[];
  /** Hash of the identifier as it is written, 0 if it is too short to name anything in particular. */
  readonly identifier: number;
}

export interface WordReader {
  read(text: string): readonly ReadWord[];
}

const SHORTEST_REFERENCE = 5;

/** `most`: how many identifiers are remembered. */
export function createWordReader(most: number): WordReader {
  const remembered = new Map<string, ReadWord>();
  const wordOf = (identifier: string): ReadWord => {
    const known = remembered.get(identifier);
    if (known !== undefined) return known;
    const word = {
      tokens: tokensOf(identifier).map(hashWord),
      identifier: identifier.length >= SHORTEST_REFERENCE ? hashWord(identifier) : 0,
    };
    if (remembered.size >= most) remembered.clear();
    remembered.set(ownCopy(identifier), word);
    return word;
  };
  return { read: (text) => identifiersIn(text).map(wordOf) };
}
