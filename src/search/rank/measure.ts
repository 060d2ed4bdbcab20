/** Every feature of every candidate: one row each in a matrix. */
import type { Question } from '../query/question.ts';
import type { FileFacts, FileFactsReader } from '../view/file-facts.ts';
import type { View, ViewHistory } from '../view/view.ts';
import type { LexicalScores } from './bm25.ts';
import { COLUMN, FEATURES, type Weights } from './features.ts';
import {
  createNameMatcher,
  findDefinedNames,
  type DefiningFiles,
  type NameMatcher,
  type PathMatchers,
} from './match.ts';
import type { MentionedFiles } from './mentions.ts';
import { readPassages, type ChunkScores, type DenseScores, type Passages } from './passages.ts';

export interface MeasureInput {
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  readonly candidates: readonly number[];
  readonly facts: FileFactsReader;
  readonly neighbours: Neighbours;
  readonly matchPaths: PathMatchers;
  readonly defining: DefiningFiles;
  readonly reported: ReportScores | undefined;
  readonly history: ViewHistory | undefined;
}

/** What the parts of a pasted text say of all files. Its scores are scratch buffers: the next report overwrites them. */
export interface ReportScores {
  readonly title: LexicalScores;
  readonly messages: LexicalScores;
  readonly mentioned: MentionedFiles;
}

/** All of it belongs to this question: nothing here is scratch memory. */
export interface Measured {
  /** One row per candidate, in their order. */
  readonly matrix: FeatureMatrix;
  readonly passages: readonly Passages[];
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
  const { passages, chunks } = readPassages(files, lexical, dense);
  const largestWord = largest(passages.map(({ words }) => words));
  const largestSum = largest(passages.map(({ wordSum }) => wordSum));
  const largestFile = largestScore(lexical.files);
  const largestNames = largestScore(lexical.names);
  const nearestOf = passages.map(({ nearest }) => nearest);
  const nearnessOf = files.map(({ number }) => dense?.files[number] ?? 0);
  const pathNearness = new Float32Array(files.length);
  dense?.readPaths(files, pathNearness);
  const nearestSpread = spreadOf(nearestOf);
  const pathSpread = spreadOf(pathNearness);
  const [nearestRange, fileRange] = [rangeOf(nearestOf), rangeOf(nearnessOf)];
  const preliminary = passages.map(
    ({ words, wordSum, nearest }, row) =>
      ratio(words, largestWord) +
      ratio(wordSum, largestSum) +
      inRange(nearest, nearestRange) +
      inRange(nearnessOf[row] ?? 0, fileRange),
  );
  const folders = neighbours.folderSupport(files, preliminary);
  const references = neighbours.referenceSupport(files, preliminary);
  const defined = findDefinedNames(input.defining, question);
  const middleDepth = medianDepth(files);
  // Where the index was asked for every word, a file whose names hold none of them needs no closer look.
  const areLookedUp = question.stems.every((hash) => question.tokens.has(hash));

  const matrix = new FeatureMatrix(files.length);
  passages.forEach(({ facts, wordSum, nearest, second }, row) => {
    const { number } = facts;
    const inNames = lexical.names[number] ?? 0;
    const special = facts.isSpecial ? 1 : 0;
    matrix.set(row, COLUMN.passageBm25, ratio(wordSum, largestSum));
    matrix.set(row, COLUMN.fileBm25, ratio(lexical.files[number] ?? 0, largestFile));
    matrix.set(row, COLUMN.definitionBm25, ratio(inNames, largestNames));
    if (dense !== undefined) {
      matrix.set(row, COLUMN.passageNearness, nearest);
      matrix.set(row, COLUMN.fileNearness, nearnessOf[row] ?? 0);
      matrix.set(row, COLUMN.secondPassageNearness, inSpread(second, nearestSpread));
      matrix.set(row, COLUMN.pathNearness, inSpread(pathNearness[row] ?? 0, pathSpread));
    }
    matrix.set(row, COLUMN.pathCoverage, paths.coverage(facts));
    matrix.set(row, COLUMN.wholeFileName, paths.isNamed(facts) ? 1 : 0);
    matrix.set(row, COLUMN.definitionCoverage, areLookedUp && inNames === 0 ? 0 : names.best(facts));
    matrix.set(row, COLUMN.definesName, defined.asked.get(number) ?? 0);
    matrix.set(row, COLUMN.definesWord, defined.plain.get(number) ?? 0);
    matrix.set(row, COLUMN.folderSupport, folders[row] ?? 0);
    matrix.set(row, COLUMN.referenceSupport, references[row] ?? 0);
    matrix.set(row, COLUMN.relativeDepth, Math.max(-2, Math.min(2, facts.depth - middleDepth)));
    matrix.set(row, COLUMN.testOrVendored, question.wantsSpecial ? special * WANTED_ANYWAY : special);
    matrix.set(row, COLUMN.compatibility, facts.isCompat ? 1 : 0);
    matrix.set(row, COLUMN.header, facts.isHeader ? 1 : 0);
    matrix.set(row, COLUMN.tiny, (facts.segment.solidLines[facts.local] ?? 0) < TINY_LINES ? 1 : 0);
  });
  if (input.reported !== undefined) measureReport(matrix, input, input.reported);
  if (input.history !== undefined) measureHistory(matrix, input, input.history);
  return { matrix, passages, chunks, largestWord, names };
}

function measureReport(matrix: FeatureMatrix, input: MeasureInput, reported: ReportScores): void {
  const { title, messages, mentioned } = reported;
  const files = input.candidates.map((file) => input.facts.of(file));
  const messagePassages = files.map((facts) => bestPassage(facts, messages.chunks));
  const mostMessage = largest(messagePassages);
  const mostTitleFile = largestScore(title.files);
  files.forEach(({ number, isCode }, row) => {
    matrix.set(row, COLUMN.titleFileBm25, ratio(title.files[number] ?? 0, mostTitleFile));
    matrix.set(row, COLUMN.messageBm25, ratio(messagePassages[row] ?? 0, mostMessage));
    matrix.set(row, COLUMN.mentionedPath, mentioned.path.get(number) ?? 0);
    matrix.set(row, COLUMN.mentionedFrame, mentioned.frame.get(number) ?? 0);
    matrix.set(row, COLUMN.notCode, isCode ? 0 : 1);
  });
}

function measureHistory(matrix: FeatureMatrix, input: MeasureInput, history: ViewHistory): void {
  const { question, candidates } = input;
  // Of a pasted text only the title: subjects are as short, and say what is wrong where.
  const scores = history.score(question.report?.title ?? question.tokens);
  candidates.forEach((file, row) => {
    matrix.set(row, COLUMN.historyBm25, ratio(scores.of(file), scores.best));
    matrix.set(row, COLUMN.historyCommits, Math.log1p(history.commitsOf(file)));
  });
}

function bestPassage({ segment, chunkStart, chunkEnd }: FileFacts, scores: Float32Array): number {
  let best = 0;
  for (let chunk = segment.firstChunk + chunkStart; chunk < segment.firstChunk + chunkEnd; chunk++)
    if ((scores[chunk] ?? 0) > best) best = scores[chunk] ?? 0;
  return best;
}

function ratio(value: number, most: number): number {
  return most > 0 ? value / most : 0;
}

function largest(values: readonly number[]): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Of every file of the view: an index is faster than an iterator here. */
function largestScore(scores: Float32Array): number {
  let most = 0;
  for (let file = 0; file < scores.length; file++) {
    const score = scores[file] ?? 0;
    if (score > most) most = score;
  }
  return most;
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

function rangeOf(values: readonly number[]): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

function inRange(value: number, { low, high }: Range): number {
  return high > low ? (value - low) / (high - low) : 0;
}

/** From the nth best to the best. */
function spreadOf(values: ArrayLike<number>): Range {
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
  folderSupport(files: readonly FileFacts[], scores: readonly number[]): Float64Array;
  /** How strongly the other candidates refer to each: by a name that hardly any other file defines. */
  referenceSupport(files: readonly FileFacts[], scores: readonly number[]): Float64Array;
}

export function createNeighbours(view: View): Neighbours {
  let best = new Float64Array(0);
  /** The place of a candidate, plus one; 0 for other files. */
  const places = new Uint32Array(view.fileCount);
  return {
    folderSupport(files, scores) {
      files.forEach(({ folder }, at) => {
        const from = folder * BEST_IN_FOLDER;
        if (from + BEST_IN_FOLDER > best.length) best = grown(best, (from + BEST_IN_FOLDER) * 2);
        keepBest(best, from, scores[at] ?? 0);
      });
      const sums = Float64Array.from(files, ({ folder }) => {
        const from = folder * BEST_IN_FOLDER;
        let sum = 0;
        for (let place = from; place < from + BEST_IN_FOLDER; place++) sum += best[place] ?? 0;
        return sum / FOLDER_SHARE;
      });
      for (const { folder } of files)
        best.fill(0, folder * BEST_IN_FOLDER, folder * BEST_IN_FOLDER + BEST_IN_FOLDER);
      return sums;
    },
    referenceSupport(files, scores) {
      files.forEach(({ number }, at) => (places[number] = at + 1));
      const sums = new Float64Array(files.length);
      files.forEach(({ segment, referenceStart, referenceEnd }, from) => {
        const push = (scores[from] ?? 0) - LEAST_SCORE;
        if (push <= 0) return;
        for (let at = referenceStart; at < referenceEnd; at++) {
          const place = (places[view.now(segment.references[at] ?? 0)] ?? 0) - 1;
          if (place >= 0 && place !== from) sums[place] = (sums[place] ?? 0) + push;
        }
      });
      for (const { number } of files) places[number] = 0;
      return sums.map((sum) => Math.log(1 + sum));
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
