/** The words of a text as numbers. Code repeats its identifiers, so each is taken apart once and remembered. */
import { hashWord, identifiersIn, ownCopy, tokensOf } from '../text/index.ts';

export interface ReadWord {
  /** Hashes of its tokens: the whole, then its parts. */
  readonly tokens: readonly number[];
  /** Hash of the identifier as it is written, 0 if it is too short to name anything in particular. */
  readonly identifier: number;
}

export interface WordReader {
  read(text: string): readonly ReadWord[];
}

const MOST_REMEMBERED = 100_000;
const SHORTEST_REFERENCE = 5;

export function createWordReader(): WordReader {
  const remembered = new Map<string, ReadWord>();
  const wordOf = (identifier: string): ReadWord => {
    const known = remembered.get(identifier);
    if (known !== undefined) return known;
    const word = {
      tokens: tokensOf(identifier).map(hashWord),
      identifier: identifier.length >= SHORTEST_REFERENCE ? hashWord(identifier) : 0,
    };
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(ownCopy(identifier), word);
    return word;
  };
  return { read: (text) => identifiersIn(text).map(wordOf) };
}
