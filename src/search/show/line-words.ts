/** Which words of a question are on a line. */
import { hashWord, identifiersHolding, identifiersIn, tokensOf, type TextLines } from '../../text/index.ts';
import type { Question } from '../query/question.ts';

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
  // Taking a text apart takes longer than finding that there is nothing in it, and most have nothing in them.
  const isFew = heads.length <= MOST_HEADS;
  const known = new Map<string, readonly LineWord[]>();
  const read = (identifier: string): readonly LineWord[] => {
    const found: LineWord[] = [];
    for (const token of tokensOf(identifier)) {
      const hash = hashWord(token);
      if (tokens.has(hash)) found.push([hash, rarity(hash)]);
    }
    return found;
  };
  const addWords = (identifier: string, found: LineWord[]): void => {
    let words = known.get(identifier);
    if (words === undefined) known.set(identifier, (words = read(identifier)));
    for (const word of words) if (!found.some(([hash]) => hash === word[0])) found.push(word);
  };
  const allOn = (line: string): readonly LineWord[] => {
    const found: LineWord[] = [];
    for (const identifier of identifiersIn(line)) addWords(identifier, found);
    return found;
  };
  return {
    on(line) {
      if (!isFew) return allOn(line);
      const places = identifiersHolding(line, heads);
      if (places.length === 0) return NO_WORDS;
      const found: LineWord[] = [];
      for (let at = 0; at < places.length; at += 2) addWords(line.slice(places[at], places[at + 1]), found);
      return found;
    },
    inLines(lines, from, to) {
      if (!isFew) return lines.slice(from, to).map(allOn);
      const { text, starts } = lines.piece(from, to);
      const found = starts.map(() => NO_WORDS);
      const places = identifiersHolding(text, heads);
      let line = 0;
      let last: LineWord[] = [];
      for (let at = 0; at < places.length; at += 2) {
        const start = places[at] ?? 0;
        while ((starts[line + 1] ?? Infinity) <= start) line += 1;
        if (found[line] !== last) found[line] = last = [];
        addWords(text.slice(start, places[at + 1]), last);
      }
      return found;
    },
  };
}
