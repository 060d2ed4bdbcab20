/** Chooses which lines of a file to show: the matching definition, or the matching lines. Pure. */
import type { Definition, LineRange } from '../../core/index.ts';
import { createStemFinder, type TextLines } from '../../text/index.ts';
import type { Question } from '../query/question.ts';

export interface SnippetInput {
  readonly lines: TextLines;
  /** Where the best chunk of the file is. */
  readonly chunk: LineRange;
  readonly definitions: readonly Definition[];
  readonly question: Question;
  readonly words: LineWords;
  readonly maxLines: number;
  /** A definition of up to so many lines is shown whole; of a longer one, the first `maxLines`. */
  readonly wholeLines?: number;
  /** Whether a filter asks for a definition: it is shown although its line holds none of the words. */
  readonly wants?: (definition: Definition) => boolean;
  /** In place of `maxLines` where no definition is shown: of a place, one line is enough. */
  readonly maxWindow?: number;
  /** Lines that must be shown: an exact match. */
  readonly matches?: readonly number[];
}

export interface Snippet extends LineRange {
  /** What it is, or is inside of. */
  readonly definition: Definition | undefined;
}

const DEFINITION_FACTOR = 1.6;
const NAMED_BONUS = 100;
/** Above any name: a filter is no wish. */
const WANTED_BONUS = 1000;
export const MOST_LINES_ABOVE = 4;
const REPEAT = 0.2;
/** Sums that differ by less are the same sum in another order. */
const TINY = 1e-9;
/** One word alone may be a topic as well as a name. */
const OF_SEVERAL_WORDS = /[a-z0-9][A-Z]|_/;
const ABOVE_DEFINITION = /^\s*(?:\/\/|\/\*|\*|#|@|--|;;|%|"""|'''|\[[A-Z]|<!--)/;

export function chooseSnippet(input: SnippetInput): Snippet {
  const { lines, definitions, matches } = input;
  const last = Math.max(1, lines.length);
  const start = Math.min(input.chunk.startLine, last);
  const chunk = new Chunk(input, start, Math.max(start, Math.min(input.chunk.endLine, last)));
  const window = { ...input, maxLines: input.maxWindow ?? input.maxLines };
  const range =
    matches !== undefined && matches.length > 0
      ? aroundMatches(matches, input, last)
      : (bestDefinition(input, chunk) ??
        toEnd(withoutTail(bestWindow(window, chunk), window, chunk), window));
  return { ...range, definition: innermost(definitions, range, input) };
}

/** Where the best chunk is, inside of the file, and which words are on its lines. */
class Chunk {
  readonly start: number;
  readonly end: number;
  private readonly input: SnippetInput;
  private found: readonly (readonly LineWord[])[] | undefined;

  constructor(input: SnippetInput, start: number, end: number) {
    this.input = input;
    this.start = start;
    this.end = end;
  }

  /** Of one of its lines. All are read at once, when the first is asked for. */
  wordsOn(line: number): readonly LineWord[] {
    const { words, lines } = this.input;
    this.found ??= words.inLines(lines, this.start - 1, this.end);
    return this.found[line - this.start] ?? NO_WORDS;
  }
}

/** The definition whose line matches best, with what is written above it. */
function bestDefinition(input: SnippetInput, chunk: Chunk): LineRange | undefined {
  const { lines, definitions, question, maxLines, wholeLines = maxLines, wants } = input;
  // Definitions are kept as text: without a name to compare, their names need not be read.
  const isAnyNamed = question.spelled.length > 0;
  let best: { readonly definition: Definition; readonly score: number } | undefined;
  for (const definition of definitions) {
    if (definition.startLine < chunk.start || definition.startLine > chunk.end) continue;
    const isNamed = isAnyNamed && question.spelled.includes(definition.name);
    const score =
      lineScore(chunk.wordsOn(definition.startLine)) * DEFINITION_FACTOR +
      (isNamed ? NAMED_BONUS : 0) +
      (wants?.(definition) === true ? WANTED_BONUS : 0);
    if (score > (best?.score ?? 0)) best = { definition, score };
  }
  if (best === undefined) return undefined;
  const { definition } = best;
  // If the exact name is only used here, show its uses rather than a definition with a similar name.
  const asked = question.isSymbol ? question.spelled.filter((name) => OF_SEVERAL_WORDS.test(name)) : [];
  if (asked.length > 0 && best.score < NAMED_BONUS) {
    const hasName = (line: string): boolean => asked.some((name) => line.includes(name));
    if (!hasName(lines.at(definition.startLine - 1)) && lines.slice(chunk.start - 1, chunk.end).some(hasName))
      return undefined;
  }
  let from = definition.startLine;
  while (
    from > Math.max(1, definition.startLine - MOST_LINES_ABOVE) &&
    ABOVE_DEFINITION.test(lines.at(from - 2))
  )
    from -= 1;
  const end = Math.min(Math.max(definition.endLine, definition.startLine), lines.length);
  const to = end - from < wholeLines ? end : Math.min(end, from + maxLines - 1);
  return { startLine: from, endLine: Math.max(from, to) };
}

/** Lines, from 1, and which words are on them. */
export interface WordedLines {
  readonly start: number;
  readonly end: number;
  wordsOn(line: number): readonly LineWord[];
}

/** The run of lines that holds most of the question. */
export function bestWindow({ maxLines }: Pick<SnippetInput, 'maxLines'>, chunk: WordedLines): LineRange {
  const { start, end } = chunk;
  if (end - start + 1 <= maxLines) return { startLine: start, endLine: end };
  const counts = new Map<number, number>();
  // A word counts fully once, and a little each time it is seen again.
  const worth = (seen: number): number => (seen === 0 ? 0 : 1 + REPEAT * (seen - 1));
  let score = 0;
  const change = (line: number, by: 1 | -1): void => {
    for (const [word, rarity] of chunk.wordsOn(line)) {
      const seen = counts.get(word) ?? 0;
      counts.set(word, seen + by);
      score += rarity * (worth(seen + by) - worth(seen));
    }
  };
  let best = { startLine: start, score: -1 };
  for (let line = start; line <= end; line++) {
    change(line, 1);
    const startLine = line - maxLines + 1;
    if (startLine > start) change(startLine - 1, -1);
    if (startLine >= start && score > best.score + TINY) best = { startLine, score };
  }
  return { startLine: best.startLine, endLine: best.startLine + maxLines - 1 };
}

/** Without the end of the definition before and without blank lines around it, unless they hold a word of the question. */
function withoutTail(range: LineRange, { lines, definitions }: SnippetInput, chunk: Chunk): LineRange {
  let { startLine: from, endLine: to } = range;
  for (const { startLine, endLine } of definitions) {
    const isTail = startLine < from && endLine >= from && endLine < to;
    if (!isTail) continue;
    let line = from;
    while (line <= endLine && chunk.wordsOn(line).length === 0) line += 1;
    if (line > endLine) from = line;
  }
  while (from < to && isBlank(lines.at(from - 1))) from += 1;
  while (to > from && isBlank(lines.at(to - 1))) to -= 1;
  return { startLine: from, endLine: to };
}

/** Lines that the tail before has freed go to the definition that begins here, if they hold the rest of it. */
function toEnd(range: LineRange, { lines, definitions, maxLines }: SnippetInput): LineRange {
  const { startLine: from, endLine: to } = range;
  const isCut = ({ startLine, endLine }: LineRange): boolean =>
    startLine >= from && startLine <= to && endLine > to && endLine - from < maxLines;
  const ends = definitions.filter(isCut).map(({ endLine }) => Math.min(endLine, lines.length));
  return { startLine: from, endLine: Math.max(to, ...ends) };
}

/** From the line before the first match, if there is room, to the line behind the last that fits; both only if they say something. */
function aroundMatches(matches: readonly number[], input: SnippetInput, last: number): LineRange {
  const { lines, definitions, maxLines } = input;
  const first = Math.min(tellingMatch(matches, input), last);
  const above = first - 1;
  const saysMore = !isBlank(lines.at(above - 1)) && definitions.every(({ endLine }) => endLine !== above);
  const from = maxLines > 2 && above > 0 && saysMore ? above : first;
  const end = Math.min(last, from + maxLines - 1);
  const match = matches.findLast((line) => line <= end) ?? first;
  const below = Math.min(end, match + 1);
  return { startLine: from, endLine: Math.max(first, isBlank(lines.at(below - 1)) ? match : below) };
}

/** What lies near a match counts half as much as what stands on its line. */
const BESIDE = 0.5;

/** Where most of what else was asked stands, else the first: a short text in quotes is often all over a file. */
function tellingMatch(matches: readonly number[], { lines, words, maxLines }: SnippetInput): number {
  let best = { line: matches[0] ?? 1, score: -1 };
  if (matches.length < 2) return best.line;
  const found = words.inLines(lines, 0, lines.length);
  for (const line of matches) {
    const seen = new Map(found[line - 1]);
    let score = lineScore([...seen]);
    for (const more of found.slice(line, line + maxLines - 1))
      for (const [word, rarity] of more) {
        if (!seen.has(word)) score += BESIDE * rarity;
        seen.set(word, rarity);
      }
    if (score > best.score + TINY) best = { line, score };
  }
  return best.line;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function lineScore(words: readonly LineWord[]): number {
  let sum = 0;
  for (const [, rarity] of words) sum += rarity;
  return sum;
}

/** What the lines belong to: the named definition in them, or the smallest one around their beginning. */
function innermost(
  definitions: readonly Definition[],
  { startLine, endLine }: LineRange,
  { question, wants }: Pick<SnippetInput, 'question' | 'wants'>,
): Definition | undefined {
  const isAnyNamed = question.spelled.length > 0;
  let wanted: Definition | undefined;
  let named: Definition | undefined;
  let inside: Definition | undefined;
  let around: Definition | undefined;
  for (const one of definitions) {
    if (one.startLine >= startLine && one.startLine <= endLine) {
      if (wants?.(one) === true) wanted ??= one;
      if (isAnyNamed && question.spelled.includes(one.name)) named ??= one;
      inside ??= one;
    }
    if (one.startLine <= startLine && one.endLine >= startLine) around = one;
  }
  return wanted ?? named ?? inside ?? around;
}

export type LineWord = readonly [word: number, rarity: number];

/** Which words of a question are on a line, each once. */
export interface LineWords {
  /** Of the lines from one to before another, by their places. */
  inLines(lines: TextLines, from: number, to: number): readonly (readonly LineWord[])[];
  /** The same of all lines, as pairs of a line, from 0, and the place of a term of the question, in the order of the lines. */
  pairsIn(lines: TextLines): Uint32Array;
  /** Of such pairs those of a line. */
  ofLine(pairs: Uint32Array, line: number): readonly LineWord[];
}

const NO_WORDS: readonly LineWord[] = [];

export function createLineWords(
  { terms }: Pick<Question, 'terms'>,
  rarity: (hash: number) => number,
): LineWords {
  const find = createStemFinder(terms.map(({ stem }) => stem));
  const words = terms.map(({ hash }): LineWord => [hash, rarity(hash)]);
  return {
    inLines(lines, from, to) {
      const text = lines.piece(from, to);
      const found: LineWord[][] = [];
      const pairs = find(text);
      for (let at = 0; at < pairs.length; at += 2) {
        const word = words[pairs[at + 1] ?? 0];
        if (word !== undefined) (found[pairs[at] ?? 0] ??= []).push(word);
      }
      return Array.from({ length: to - from }, (_, line) => found[line] ?? NO_WORDS);
    },
    pairsIn: (lines) => find(lines.text),
    ofLine(pairs, line) {
      let [low, high] = [0, pairs.length / 2];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((pairs[2 * middle] ?? 0) < line) low = middle + 1;
        else high = middle;
      }
      const found: LineWord[] = [];
      for (let pair = 2 * low; pair < pairs.length && pairs[pair] === line; pair += 2)
        found.push(words[pairs[pair + 1] ?? 0] ?? [0, 0]);
      return found;
    },
  };
}
