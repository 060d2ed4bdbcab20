/** Every feature of every candidate: one row each in a matrix. */
import type { Question } from '../query/question.ts';
import type { FileFacts, FileFactsReader } from '../view/file-facts.ts';
import type { View } from '../view/view.ts';
import type { LexicalScores } from './bm25.ts';
import { COLUMN, FEATURES, type Weights } from './features.ts';
import {
  createNameMatcher,
  findDefinedNames,
  type DefiningFiles,
  type NameMatcher,
  type PathMatchers,
} from './match.ts';
import { readPassages, type ChunkScores, type DenseScores } from './passages.ts';

export interface MeasureInput {
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  readonly candidates: readonly number[];
  readonly facts: FileFactsReader;
  readonly neighbours: Neighbours;
  readonly matchPaths: PathMatchers;
  readonly defining: DefiningFiles;
}

/** All of it belongs to this question: nothing here is scratch memory. */
export interface Measured {
  /** One row per candidate, in their order. */
  readonly matrix: FeatureMatrix;
  readonly files: readonly FileFacts[];
  /** Where the chunks of each candidate begin in `chunks`. */
  readonly places: Uint32Array;
  readonly chunks: ChunkScores;
  /** The best score by words of any chunk of any candidate. */
  readonly largestWord: number;
  readonly names: NameMatcher;
}

/** A file with fewer lines that are not blank is hardly ever the answer. */
const TINY_LINES = 15;
/** A question about tests still prefers other files a little. */
const WANTED_ANYWAY = 0.25;
const NTH_NEAREST = 30;

export function measure(input: MeasureInput): Measured {
  const { question, lexical, dense, candidates, neighbours } = input;
  const rarities = question.stems.map((hash) => lexical.fileRarity(hash));
  const names = createNameMatcher(question, rarities);
  const files = candidates.map((file) => input.facts.of(file));
  const paths = input.matchPaths(question, rarities, files);
  const { words, wordSums, nearest, second, places, chunks } = readPassages(files, lexical, dense);
  const largestWord = largest(words);
  const largestSum = largest(wordSums);
  const largestFile = largestScore(lexical.files);
  const largestNames = largestScore(lexical.names);
  const fileNearness = pick(dense?.files, candidates);
  const pathNearness = new Float32Array(files.length);
  dense?.readPaths(files, pathNearness);
  const nearestSpread = spreadOf(nearest);
  const pathSpread = spreadOf(pathNearness);
  const middleDepth = medianDepth(files);
  const [nearestRange, fileRange] = [rangeOf(nearest), rangeOf(fileNearness)];
  const preliminary = new Float64Array(files.length);
  for (let row = 0; row < files.length; row++)
    preliminary[row] =
      ratio(words[row] ?? 0, largestWord) +
      ratio(wordSums[row] ?? 0, largestSum) +
      inRange(nearest[row] ?? 0, nearestRange) +
      inRange(fileNearness[row] ?? 0, fileRange);
  const folders = neighbours.folderSupport(files, preliminary);
  const references = neighbours.referenceSupport(candidates, files, preliminary);
  const defined = findDefinedNames(input.defining, question);
  // Where the index was asked for every word, a file whose names hold none of them needs no closer look.
  const areLookedUp = question.stems.every((hash) => question.tokens.has(hash));

  const matrix = new FeatureMatrix(files.length);
  files.forEach((facts, row) => {
    const file = candidates[row] ?? 0;
    const inNames = lexical.names[file] ?? 0;
    const special = facts.isSpecial ? 1 : 0;
    matrix.set(row, COLUMN.passageBm25, ratio(wordSums[row] ?? 0, largestSum));
    matrix.set(row, COLUMN.fileBm25, ratio(lexical.files[file] ?? 0, largestFile));
    matrix.set(row, COLUMN.definitionBm25, ratio(inNames, largestNames));
    if (dense !== undefined) {
      matrix.set(row, COLUMN.passageNearness, nearest[row] ?? 0);
      matrix.set(row, COLUMN.fileNearness, fileNearness[row] ?? 0);
      matrix.set(row, COLUMN.secondPassageNearness, inSpread(second[row] ?? 0, nearestSpread));
      matrix.set(row, COLUMN.pathNearness, inSpread(pathNearness[row] ?? 0, pathSpread));
    }
    matrix.set(row, COLUMN.pathCoverage, paths.coverage(facts));
    matrix.set(row, COLUMN.wholeFileName, paths.isNamed(facts) ? 1 : 0);
    matrix.set(row, COLUMN.definitionCoverage, areLookedUp && inNames === 0 ? 0 : names.best(facts));
    matrix.set(row, COLUMN.definesName, defined.asked.get(file) ?? 0);
    matrix.set(row, COLUMN.definesWord, defined.plain.get(file) ?? 0);
    matrix.set(row, COLUMN.folderSupport, folders[row] ?? 0);
    matrix.set(row, COLUMN.referenceSupport, references[row] ?? 0);
    matrix.set(row, COLUMN.relativeDepth, Math.max(-2, Math.min(2, facts.depth - middleDepth)));
    matrix.set(row, COLUMN.testOrVendored, question.wantsSpecial ? special * WANTED_ANYWAY : special);
    matrix.set(row, COLUMN.compatibility, facts.isCompat ? 1 : 0);
    matrix.set(row, COLUMN.header, facts.isHeader ? 1 : 0);
    matrix.set(row, COLUMN.tiny, (facts.segment.solidLines[facts.local] ?? 0) < TINY_LINES ? 1 : 0);
  });
  return { matrix, files, places, chunks, largestWord, names };
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

/** A second copy on purpose: one function for two kinds of arrays would be polymorphic, and slower. */
function largestScore(values: Float32Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > most) most = value;
  }
  return most;
}

/** The scores of some files. */
function pick(scores: Float32Array | undefined, files: readonly number[]): Float64Array {
  return Float64Array.from(files, (file) => scores?.[file] ?? 0);
}

/** By counting how many files lie at each depth. */
function medianDepth(files: readonly FileFacts[]): number {
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
function spreadOf(values: Float32Array | Float64Array): Range {
  const sorted = Float64Array.from(values).sort();
  return {
    low: sorted[Math.max(0, sorted.length - NTH_NEAREST)] ?? 0,
    high: sorted[sorted.length - 1] ?? 0,
  };
}

function inSpread(value: number, { low, high }: Range): number {
  return high > low ? Math.max(-0.5, (value - low) / (high - low)) : 0;
}

/** One row per candidate, one column per feature. */
export class FeatureMatrix {
  private readonly values: Float64Array;

  constructor(rows: number) {
    this.values = new Float64Array(rows * FEATURES.length);
  }

  get(row: number, column: number): number {
    return this.values[row * FEATURES.length + column] ?? 0;
  }

  set(row: number, column: number, value: number): void {
    this.values[row * FEATURES.length + column] = value;
  }

  /** The weighted sum of a row; weights by column. */
  score(row: number, weights: Float64Array): number {
    const from = row * FEATURES.length;
    let sum = 0;
    for (let at = 0; at < FEATURES.length; at++) sum += (this.values[from + at] ?? 0) * (weights[at] ?? 0);
    return sum;
  }
}

export function weightsByColumn(weights: Weights): Float64Array {
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}

const BEST_IN_FOLDER = 4;
const FOLDER_SHARE = 16;
const LEAST_SCORE = 1;

/** One per view. Its scratch memory is as large as the view, and all zeros again after each call. */
export interface Neighbours {
  /** The best preliminary scores in each candidate's folder, added up. None is below zero. */
  folderSupport(files: readonly FileFacts[], scores: Float64Array): Float64Array;
  /** How strongly the other candidates refer to each: by a name that hardly any other file defines. */
  referenceSupport(
    numbers: readonly number[],
    files: readonly FileFacts[],
    scores: Float64Array,
  ): Float64Array;
}

export function createNeighbours(view: View): Neighbours {
  let best = new Float64Array(0);
  /** The place of a candidate, plus one; 0 for other files. */
  const places = new Uint32Array(view.fileCount);
  return {
    folderSupport(files, scores) {
      const sums = new Float64Array(files.length);
      for (let at = 0; at < files.length; at++) {
        const from = (files[at]?.folder ?? 0) * BEST_IN_FOLDER;
        if (from + BEST_IN_FOLDER > best.length) best = grown(best, (from + BEST_IN_FOLDER) * 2);
        keepBest(best, from, scores[at] ?? 0);
      }
      for (let at = 0; at < files.length; at++) {
        const from = (files[at]?.folder ?? 0) * BEST_IN_FOLDER;
        let sum = 0;
        for (let place = from; place < from + BEST_IN_FOLDER; place++) sum += best[place] ?? 0;
        sums[at] = sum / FOLDER_SHARE;
      }
      for (const { folder } of files)
        best.fill(0, folder * BEST_IN_FOLDER, folder * BEST_IN_FOLDER + BEST_IN_FOLDER);
      return sums;
    },
    referenceSupport(numbers, files, scores) {
      for (let at = 0; at < numbers.length; at++) places[numbers[at] ?? 0] = at + 1;
      const sums = new Float64Array(files.length);
      for (let from = 0; from < files.length; from++) {
        const facts = files[from];
        const push = (scores[from] ?? 0) - LEAST_SCORE;
        if (facts === undefined || push <= 0) continue;
        const { referenceOffsets, references } = facts.segment;
        const end = referenceOffsets[facts.local + 1] ?? 0;
        for (let at = referenceOffsets[facts.local] ?? 0; at < end; at++) {
          const place = (places[view.now(references[at] ?? 0)] ?? 0) - 1;
          if (place >= 0 && place !== from) sums[place] = (sums[place] ?? 0) + push;
        }
      }
      for (let at = 0; at < numbers.length; at++) places[numbers[at] ?? 0] = 0;
      for (let at = 0; at < sums.length; at++) sums[at] = Math.log(1 + (sums[at] ?? 0));
      return sums;
    },
  };
}

/** The best of a folder stand in descending order. */
function keepBest(best: Float64Array, from: number, score: number): void {
  let at = from + BEST_IN_FOLDER - 1;
  if (score <= (best[at] ?? 0)) return;
  for (; at > from && (best[at - 1] ?? 0) < score; at--) best[at] = best[at - 1] ?? 0;
  best[at] = score;
}

function grown(values: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(values);
  return larger;
}
