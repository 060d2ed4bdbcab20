/** Every feature of every candidate. */
import { hashWord } from '../text/index.ts';
import type { LexicalScores } from './bm25.ts';
import { filesDefining } from './candidates.ts';
import type { DenseScores } from './dense.ts';
import { weigh, type FeatureVector, type Weights } from './features.ts';
import type { FileFacts, FileFactsReader } from './file-facts.ts';
import { createNameMatcher, type NameMatcher } from './name-match.ts';
import { nameWorth } from './name-worth.ts';
import { folderSupport, referenceSupport } from './neighbours.ts';
import { readPassages, type ChunkScores } from './passages.ts';
import { createPathMatcher, type Likenesses } from './path-match.ts';
import type { Question } from './question.ts';
import type { View } from './view.ts';

export interface Measured {
  readonly file: number;
  readonly facts: FileFacts;
  readonly features: FeatureVector;
  readonly score: number;
  /** Where the scores of its chunks begin. */
  readonly firstChunk: number;
}

export interface MeasureInput {
  readonly view: View;
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  readonly candidates: readonly number[];
  readonly facts: FileFactsReader;
  readonly likenesses: Likenesses;
  readonly weights: Weights;
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
  const { view, question, lexical, dense, candidates } = input;
  const rarities = question.stems.map((stem) => lexical.fileRarity(hashWord(stem)));
  const paths = createPathMatcher(question, rarities, input.likenesses);
  const names = createNameMatcher(question, rarities);
  const files = candidates.map((file) => input.facts.of(file));
  const places = placeChunks(files);
  const count = places.at(-1) ?? 0;
  const chunks = { words: new Float32Array(count), nearness: new Float32Array(count) };
  const passages = files.map((facts, at) =>
    readPassages(facts, { lexical, dense, into: chunks, at: places[at] ?? 0 }),
  );
  const wordSums = passages.map(({ words: [a, b, c] }) => a + 0.5 * b + 0.25 * c);
  const largestSum = largest(wordSums);
  const largestWord = largest(passages.map(({ words }) => words[0]));
  const bestFile = largest(lexical.files);
  const bestNames = largest(lexical.names);
  const nearest = passages.map((passage) => passage.nearest);
  const fileNearness = candidates.map((file) => dense?.files[file] ?? 0);
  const pathNearness = candidates.map((file) => dense?.paths[file] ?? 0);
  const spread = (values: readonly number[]): ((value: number) => number) => {
    const sorted = values.toSorted((a, b) => b - a);
    const high = sorted[0] ?? 0;
    const low = sorted[Math.min(NTH_NEAREST, sorted.length) - 1] ?? 0;
    return (value) => (high > low ? Math.max(-0.5, (value - low) / (high - low)) : 0);
  };
  const seconds = spread(nearest);
  const pathSpread = spread(pathNearness);
  const depths = files.map(({ depth }) => depth).sort((a, b) => a - b);
  const middleDepth = depths[Math.floor(depths.length / 2)] ?? 0;
  const relativeNearest = minMax(nearest);
  const relativeFile = minMax(fileNearness);
  const preliminary = candidates.map(
    (_, at) =>
      ratio(passages[at]?.words[0] ?? 0, largestWord) +
      ratio(wordSums[at] ?? 0, largestSum) +
      (relativeNearest[at] ?? 0) +
      (relativeFile[at] ?? 0),
  );
  const folders = folderSupport(files, preliminary);
  const references = referenceSupport(view, candidates, files, preliminary);
  const symbols = definedNames(view, question);

  const measured = files.map((facts, at): Measured => {
    const file = candidates[at] ?? 0;
    const { flags } = facts;
    const bad = flags.test || flags.example || flags.vendored ? 1 : 0;
    const features: FeatureVector = {
      bsum: ratio(wordSums[at] ?? 0, largestSum),
      bf: ratio(lexical.files[file] ?? 0, bestFile),
      bdef: ratio(lexical.names[file] ?? 0, bestNames),
      d1: nearest[at] ?? 0,
      df: fileNearness[at] ?? 0,
      d2n: dense === undefined ? 0 : seconds(passages[at]?.second ?? 0),
      dpn: dense === undefined ? 0 : pathSpread(pathNearness[at] ?? 0),
      msPath: paths.coverage(facts),
      stemFull: paths.isNamed(facts) ? 1 : 0,
      defBest: names.best(facts),
      symDef: symbols.asked.get(file) ?? 0,
      symPre: symbols.plain.get(file) ?? 0,
      dirco: folders[at] ?? 0,
      gin: references[at] ?? 0,
      depthC: Math.max(-2, Math.min(2, facts.depth - middleDepth)),
      bad: question.wantsSpecial ? bad * WANTED_ANYWAY : bad,
      compat: flags.compat ? 1 : 0,
      hdr: flags.header ? 1 : 0,
      tiny: (facts.segment.solidLines[facts.local] ?? 0) < TINY_LINES ? 1 : 0,
    };
    const score = weigh(features, input.weights);
    return { file, facts, features, score, firstChunk: places[at] ?? 0 };
  });
  return { measured, names, chunks, bestChunk: largestWord };
}

/** Where the chunks of each begin when they stand one after the other, and where they end. */
function placeChunks(files: readonly FileFacts[]): number[] {
  const places = [0];
  for (const { segment, local } of files) {
    const count = (segment.chunkOffsets[local + 1] ?? 0) - (segment.chunkOffsets[local] ?? 0);
    places.push((places.at(-1) ?? 0) + count);
  }
  return places;
}

/** Which files define the names of the question, and how much that says. */
function definedNames(
  view: View,
  { names, plainNames, isSymbol }: Question,
): { asked: Map<number, number>; plain: Map<number, number> } {
  const [asked, plain] = [new Map<number, number>(), new Map<number, number>()];
  for (const name of names) {
    const defining = filesDefining(view, name);
    const shared = isSymbol ? 1 : Math.sqrt(defining.size);
    for (const [file, weight] of defining) keepLargest(asked, file, nameWorth(weight) / shared);
  }
  for (const name of plainNames) {
    const defining = filesDefining(view, name);
    if (defining.size > MOST_DEFINING_PLAIN) continue;
    for (const [file, weight] of defining) keepLargest(plain, file, nameWorth(weight));
  }
  return { asked, plain };
}

function keepLargest(map: Map<number, number>, file: number, value: number): void {
  map.set(file, Math.max(map.get(file) ?? 0, value));
}

function ratio(value: number, most: number): number {
  return most > 0 ? value / most : 0;
}

function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) most = Math.max(most, values[at] ?? 0);
  return most;
}

function minMax(values: readonly number[]): number[] {
  const high = Math.max(...values);
  const low = Math.min(...values);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0));
}
