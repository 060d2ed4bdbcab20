/** Which words of a question are on a line. */
import { hashWord, identifiersIn, tokensOf, type TextLines } from '../text/index.ts';
import type { Question } from './question.ts';

export type LineWord = readonly [word: number, rarity: number];

/** Each word once. */
export interface LineWords {
  on(line: string): readonly LineWord[];
  /** Of the lines from one to before another, by their places. */
  inLines(lines: TextLines, from: number, to: number): readonly (readonly LineWord[])[];
}

const NO_WORDS: readonly LineWord[] = [];
/** With more of them, looking for each takes as long as taking a word apart. */
const MOST_HEADS = 12;

/** For the lines of one answer, which repeat their words: what was taken apart is remembered for the next one, and goes with it. */
export function createLineWords(
  { heads, tokens }: Pick<Question, 'heads' | 'tokens'>,
  rarity: (hash: number) => number,
): LineWords {
  const isFew = heads.length <= MOST_HEADS;
  // Taking a text apart takes longer than finding that there is nothing in it, and most have nothing in them.
  const mayHold = (text: string): boolean => {
    const small = text.toLowerCase();
    for (let at = 0; at < heads.length; at++) if (small.includes(heads[at] ?? '')) return true;
    return false;
  };
  const known = new Map<string, readonly LineWord[]>();
  const read = (identifier: string): readonly LineWord[] => {
    if (isFew && !mayHold(identifier)) return NO_WORDS;
    const found: LineWord[] = [];
    for (const token of tokensOf(identifier)) {
      const hash = hashWord(token);
      if (tokens.has(hash)) found.push([hash, rarity(hash)]);
    }
    return found;
  };
  const wordsOf = (identifier: string): readonly LineWord[] => {
    let words = known.get(identifier);
    if (words === undefined) known.set(identifier, (words = read(identifier)));
    return words;
  };
  const wordsIn = (line: string): readonly LineWord[] => {
    const found: LineWord[] = [];
    for (const identifier of identifiersIn(line))
      for (const word of wordsOf(identifier)) if (!found.some(([hash]) => hash === word[0])) found.push(word);
    return found;
  };
  return {
    on: (line) => (isFew && !mayHold(line) ? NO_WORDS : wordsIn(line)),
    inLines(lines, from, to) {
      if (!isFew) return lines.slice(from, to).map(wordsIn);
      return Array.from(lines.holding(heads, from, to), (holds, at) =>
        holds === 0 ? NO_WORDS : wordsIn(lines.at(from + at)),
      );
    },
  };
}
