/** Every feature of every candidate. */
import { hashWord } from '../../text/index.ts';
import type { Arena } from './arena.ts';
import type { LexicalScores } from './bm25.ts';
import type { DefiningFiles } from './candidates.ts';
import type { DenseScores } from './dense.ts';
import { FEATURES } from './features.ts';
import type { FileFacts, FileFactsReader } from '../view/file-facts.ts';
import { Measured } from './measured.ts';
import { createNameMatcher, type NameMatcher } from './name-match.ts';
import { nameWorth } from './name-worth.ts';
import type { Neighbours } from './neighbours.ts';
import { readPassages, type ChunkScores } from './passages.ts';
import type { PathMatchers } from './path-match.ts';
import type { Question } from '../query/question.ts';

export interface MeasureInput {
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  readonly candidates: readonly number[];
  readonly facts: FileFactsReader;
  readonly neighbours: Neighbours;
  readonly matchPaths: PathMatchers;
  readonly defining: DefiningFiles;
  /** In the order of `FEATURES`. */
  readonly weights: Float64Array;
  readonly arena: Arena;
}

export interface MeasuredAll {
  readonly measured: Measured[];
  readonly names: NameMatcher;
  readonly chunks: ChunkScores;
  /** The best score by words of any chunk of any candidate. */
  readonly bestChunk: number;
}

/** Below this many lines with something on them a file is hardly ever the answer. */
const TINY_LINES = 15;
const WANTED_ANYWAY = 0.25;
const NTH_NEAREST = 30;
const MOST_DEFINING_PLAIN = 3;

export function measure(input: MeasureInput): MeasuredAll {
  const { question, lexical, dense, candidates, neighbours, weights, arena } = input;
  const hashes = question.stems.map(hashWord);
  const rarities = hashes.map((hash) => lexical.fileRarity(hash));
  const names = createNameMatcher(question, rarities);
  const files = candidates.map((file) => input.facts.of(file));
  const paths = input.matchPaths(question, rarities, files);
  const { words, wordSums, nearest, second, places, chunks } = readPassages(files, lexical, dense, arena);
  const largestSum = largest(wordSums);
  const largestWord = largest(words);
  const bestFile = largestScore(lexical.files);
  const bestNames = largestScore(lexical.names);
  const fileNearness = pick(dense?.files, candidates, arena.take(candidates.length));
  const pathNearness = new Float32Array(files.length);
  dense?.readPaths(files, pathNearness);
  const sorted = arena.take(files.length);
  const seconds = spread(nearest, sorted);
  const pathSpread = spread(pathNearness, sorted);
  const middleDepth = middleOf(files);
  const [nearestRange, fileRange] = [rangeOf(nearest), rangeOf(fileNearness)];
  const preliminary = arena.take(files.length);
  for (let at = 0; at < files.length; at++)
    preliminary[at] =
      ratio(words[at] ?? 0, largestWord) +
      ratio(wordSums[at] ?? 0, largestSum) +
      inRange(nearest[at] ?? 0, nearestRange) +
      inRange(fileNearness[at] ?? 0, fileRange);
  const folders = neighbours.folderSupport(files, preliminary, arena);
  const references = neighbours.referenceSupport(candidates, files, preliminary, arena);
  const symbols = definedNames(input.defining, question);
  // Where every word is among those that were looked up, a file without any in its names has none in one of them.
  const areLookedUp = hashes.every((hash) => question.tokens.has(hash));
  const values = new Float64Array(files.length * FEATURES.length);

  const measured = files.map((facts, row) => {
    const file = candidates[row] ?? 0;
    const bad = facts.isSpecial ? 1 : 0;
    const inNames = lexical.names[file] ?? 0;
    // In the order of `FEATURES`.
    let at = row * FEATURES.length;
    values[at++] = ratio(wordSums[row] ?? 0, largestSum);
    values[at++] = ratio(lexical.files[file] ?? 0, bestFile);
    values[at++] = ratio(inNames, bestNames);
    values[at++] = nearest[row] ?? 0;
    values[at++] = fileNearness[row] ?? 0;
    values[at++] = dense === undefined ? 0 : inSpread(second[row] ?? 0, seconds);
    values[at++] = dense === undefined ? 0 : inSpread(pathNearness[row] ?? 0, pathSpread);
    values[at++] = paths.coverage(facts);
    values[at++] = paths.isNamed(facts) ? 1 : 0;
    values[at++] = areLookedUp && inNames === 0 ? 0 : names.best(facts);
    values[at++] = symbols.asked.get(file) ?? 0;
    values[at++] = symbols.plain.get(file) ?? 0;
    values[at++] = folders[row] ?? 0;
    values[at++] = references[row] ?? 0;
    values[at++] = Math.max(-2, Math.min(2, facts.depth - middleDepth));
    values[at++] = question.wantsSpecial ? bad * WANTED_ANYWAY : bad;
    values[at++] = facts.isCompat ? 1 : 0;
    values[at++] = facts.isHeader ? 1 : 0;
    values[at++] = (facts.segment.solidLines[facts.local] ?? 0) < TINY_LINES ? 1 : 0;
    return new Measured({ file, facts, firstChunk: places[row] ?? 0 }, { values, row, weights });
  });
  return { measured, names, chunks, bestChunk: largestWord };
}

/** Which files define the names of the question, and how much that says. */
function definedNames(
  defining: DefiningFiles,
  { names, plainNames, isSymbol }: Question,
): { asked: Map<number, number>; plain: Map<number, number> } {
  const [asked, plain] = [new Map<number, number>(), new Map<number, number>()];
  for (const name of names) {
    const files = defining(name);
    const shared = isSymbol ? 1 : Math.sqrt(files.size);
    for (const [file, weight] of files) keepLargest(asked, file, nameWorth(weight) / shared);
  }
  for (const name of plainNames) {
    const files = defining(name);
    if (files.size > MOST_DEFINING_PLAIN) continue;
    for (const [file, weight] of files) keepLargest(plain, file, nameWorth(weight));
  }
  return { asked, plain };
}

function keepLargest(map: Map<number, number>, file: number, value: number): void {
  map.set(file, Math.max(map.get(file) ?? 0, value));
}

function ratio(value: number, most: number): number {
  return most > 0 ? value / most : 0;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > most) most = value;
  }
  return most;
}

/** The same, by itself: code for two kinds of lists looks at each number to see of which it is. */
function largestScore(values: Float32Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > most) most = value;
  }
  return most;
}

function pick(
  values: Float32Array | undefined,
  numbers: readonly number[],
  picked: Float64Array,
): Float64Array {
  if (values !== undefined)
    for (let at = 0; at < numbers.length; at++) picked[at] = values[numbers[at] ?? 0] ?? 0;
  return picked;
}

/** The depth in the middle, by counting how many lie at each. */
function middleOf(files: readonly FileFacts[]): number {
  const counts: number[] = [];
  for (const { depth } of files) {
    while (counts.length <= depth) counts.push(0);
    counts[depth] = (counts[depth] ?? 0) + 1;
  }
  let before = 0;
  for (let depth = 0; depth < counts.length; depth++) {
    before += counts[depth] ?? 0;
    if (before > Math.floor(files.length / 2)) return depth;
  }
  return 0;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function rangeOf(values: Float64Array): Range {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

function inRange(value: number, { low, high }: Range): number {
  return high > low ? (value - low) / (high - low) : 0;
}

/** From the nth best to the best. */
function spread(values: Float32Array | Float64Array, sorted: Float64Array): Range {
  sorted.set(values);
  sorted.sort();
  return {
    low: sorted[Math.max(0, sorted.length - NTH_NEAREST)] ?? 0,
    high: sorted[sorted.length - 1] ?? 0,
  };
}

function inSpread(value: number, { low, high }: Range): number {
  return high > low ? Math.max(-0.5, (value - low) / (high - low)) : 0;
}
