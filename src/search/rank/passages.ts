/** Nearness of the question to files and chunks, the best passages of each candidate, and which of its chunks is shown. */
import type { StaticEncoder, VectorTable } from '../../embedding/index.ts';
import type { Question } from '../query/question.ts';
import type { FileFacts } from '../view/file-facts.ts';
import type { Segment } from '../view/segment.ts';
import type { PlacedSegment, SegmentVectors, View } from '../view/view.ts';
import type { LexicalScores } from './bm25.ts';
import { nameWorth, type NameMatcher } from './match.ts';

export interface DenseScores {
  readonly files: Float32Array;
  /** The model knows no word of the question: nothing is nearer than anything else. */
  readonly isBlank: boolean;
  /** Of the paths of these files, in their order. */
  readPaths(files: readonly FileFacts[], out: Float32Array): void;
  /** Of the chunks of these files; those of a file begin at its place. There is one place more than files. */
  readChunks(files: readonly FileFacts[], places: Uint32Array, out: Float32Array): void;
}

/** Nothing when a part of the index has no vectors of this encoder: distances to some files alone would mislead. */
export function scoreDense(
  view: View,
  text: string,
  encoder: StaticEncoder,
  /** Where the scores of all files go. */
  scores: Float32Array,
): DenseScores | undefined {
  if (view.segments.some(({ vectors, files }) => files.length > 0 && vectors?.model !== encoder.id))
    return undefined;
  const question = encoder.encode(text);
  for (const { vectors, firstFile } of view.segments)
    vectors?.files.scan(question, scores.subarray(firstFile));
  // Candidates are few of all files, and have few of all chunks: most are never looked at.
  const read = (files: readonly FileFacts[], out: Float32Array, how: Rows): void => {
    const [only, ...others] = view.segments;
    if (only?.vectors !== undefined && others.length === 0)
      how.tableOf(only.vectors).scanRanges(question, rangesOf(files, how), out);
    else for (const segment of view.segments) readSegment(segment, question, files, out, how);
  };
  return {
    files: scores,
    isBlank: question.every((value) => value === 0),
    readPaths: (files, out) => read(files, out, PATHS),
    readChunks: (files, places, out) => read(files, out, { ...CHUNKS, placeOf: (at) => places[at] ?? 0 }),
  };
}

/** Which rows of which table belong to a file, and where their numbers go. */
interface Rows {
  tableOf(vectors: SegmentVectors): VectorTable;
  firstOf(facts: FileFacts): number;
  /** Behind the last. */
  endOf(facts: FileFacts): number;
  placeOf(at: number): number;
}

const PATHS: Rows = {
  tableOf: ({ paths }) => paths,
  firstOf: ({ local }) => local,
  endOf: ({ local }) => local + 1,
  placeOf: (at) => at,
};

const CHUNKS: Omit<Rows, 'placeOf'> = {
  tableOf: ({ chunks }) => chunks,
  firstOf: ({ chunkStart }) => chunkStart,
  endOf: ({ chunkEnd }) => chunkEnd,
};

function readSegment(
  segment: PlacedSegment,
  question: Float32Array,
  files: readonly FileFacts[],
  out: Float32Array,
  how: Rows,
): void {
  const places: number[] = [];
  const own = files.filter((facts, at) => facts.segment === segment && places.push(how.placeOf(at)) > 0);
  if (own.length === 0 || segment.vectors === undefined) return;
  const ranges = rangesOf(own, how);
  let count = 0;
  for (let pair = 1; pair < ranges.length; pair += 2) count += ranges[pair] ?? 0;
  const nearness = new Float32Array(count);
  how.tableOf(segment.vectors).scanRanges(question, ranges, nearness);
  let from = 0;
  places.forEach((place, at) => {
    const size = ranges[2 * at + 1] ?? 0;
    out.set(nearness.subarray(from, from + size), place);
    from += size;
  });
}

/** Pairs of the first row and how many there are. */
function rangesOf(files: readonly FileFacts[], { firstOf, endOf }: Rows): Uint32Array {
  const ranges = new Uint32Array(2 * files.length);
  let at = 0;
  for (const facts of files) {
    const first = firstOf(facts);
    ranges[at++] = first;
    ranges[at++] = endOf(facts) - first;
  }
  return ranges;
}

/** A candidate's chunks against the question. */
export interface Passages {
  readonly facts: FileFacts;
  /** Where the scores of its chunks begin. */
  readonly scoresAt: number;
  /** The best score by words, and the sum of the three best, each counted half of the one before. */
  readonly words: number;
  readonly wordSum: number;
  /** The nearest chunk and the one after it; the same if there is only one. */
  readonly nearest: number;
  readonly second: number;
}

/** The scores of the candidates' chunks, one after the other. The ranking keeps them until its answer is shown. */
export interface ChunkScores {
  readonly words: Float32Array;
  readonly nearness: Float32Array;
}

export interface ReadPassages {
  /** In the order of the candidates. */
  readonly passages: readonly Passages[];
  readonly chunks: ChunkScores;
}

export function readPassages(
  files: readonly FileFacts[],
  lexical: LexicalScores,
  dense: DenseScores | undefined,
): ReadPassages {
  const places = new Uint32Array(files.length + 1);
  let count = 0;
  files.forEach(({ chunkStart, chunkEnd }, at) => {
    count += chunkEnd - chunkStart;
    places[at + 1] = count;
  });
  const chunks = { words: new Float32Array(count), nearness: new Float32Array(count) };
  dense?.readChunks(files, places, chunks.nearness);
  return {
    passages: files.map((facts, at) => readFile(facts, places[at] ?? 0, chunks, lexical.chunks)),
    chunks,
  };
}

/** Copies the scores by words beside the nearness, and keeps the best of both. */
function readFile(facts: FileFacts, scoresAt: number, chunks: ChunkScores, scores: Float32Array): Passages {
  const { segment, chunkStart, chunkEnd } = facts;
  const count = chunkEnd - chunkStart;
  const from = segment.firstChunk + chunkStart;
  let first = 0;
  let next = 0;
  let third = 0;
  let nearest = count === 0 ? 0 : -1;
  let second = nearest;
  for (let chunk = 0; chunk < count; chunk++) {
    const score = scores[from + chunk] ?? 0;
    chunks.words[scoresAt + chunk] = score;
    if (score > first) {
      third = next;
      next = first;
      first = score;
    } else if (score > next) {
      third = next;
      next = score;
    } else if (score > third) third = score;
    const value = chunks.nearness[scoresAt + chunk] ?? 0;
    if (value > nearest) {
      second = nearest;
      nearest = value;
    } else if (value > second) second = value;
  }
  return {
    facts,
    scoresAt,
    words: first,
    wordSum: first + 0.5 * next + 0.25 * third,
    nearest,
    second: count > 1 ? second : nearest,
  };
}

export interface ChosenChunk {
  readonly startLine: number;
  readonly endLine: number;
  /** Where other chunks of the file begin that match nearly as well, in their order. */
  readonly moreLines: readonly number[];
}

/** What a filter asks for. */
export interface WantedDefinitions {
  readonly names: readonly string[];
  /** Of the names. */
  readonly hashes: readonly number[];
  readonly weights: readonly number[];
}

const NEARNESS = 2;
const WANTED_BONUS = 4;
const SYMBOL_BONUS = 2;
const NAME_BONUS = 1;
const LIKE_NAME_BONUS = 0.8;
const LEAST_LIKE_NAME = 0.1;
const NEARLY = 0.75;
const NOTHING_WANTED: WantedDefinitions = { names: [], hashes: [], weights: [] };

/** What was measured for a whole ranking, and the one file of it. */
export interface ChooseChunkInput {
  readonly facts: FileFacts;
  readonly scoresAt: number;
  readonly question: Question;
  readonly chunks: ChunkScores;
  /** The best score by words of any chunk of any candidate. */
  readonly largestWord: number;
  readonly names: NameMatcher;
}

export function chooseChunk(
  { facts, scoresAt, question, chunks, largestWord, names }: ChooseChunkInput,
  wanted: WantedDefinitions = NOTHING_WANTED,
): ChosenChunk {
  const { segment, chunkStart: from, chunkEnd: end } = facts;
  const count = Math.max(0, end - from);
  const bonuses = new Float64Array(count);
  const { hashes, startLines, weights } = segment.names;
  const give = (definition: number, bonus: number): void => {
    const line = startLines[definition] ?? 0;
    const chunk = chunkWith(line, segment, from, end);
    if (chunk < end) bonuses[chunk - from] = Math.max(bonuses[chunk - from] ?? 0, bonus);
  };
  const isAnyWanted = wanted.hashes.length + wanted.weights.length > 0;
  const wantedBonus = (at: number): number =>
    isAnyWanted && (wanted.hashes.includes(hashes[at] ?? 0) || wanted.weights.includes(weights[at] ?? 0))
      ? WANTED_BONUS
      : 0;
  const isAnyNamed = question.names.length > 0;
  const isNamed = (at: number): boolean => isAnyNamed && question.names.includes(hashes[at] ?? 0);
  names.forEachLike(facts, (at, like) => {
    if (!isNamed(at)) give(at, likeBonus(like) + wantedBonus(at));
  });
  if (isAnyWanted || isAnyNamed) {
    for (let at = facts.nameStart; at < facts.nameEnd; at++) {
      // A class says more than its constructor, which bears its name.
      const ownBonus = isNamed(at)
        ? (question.isSymbol ? SYMBOL_BONUS : NAME_BONUS) * nameWorth(weights[at] ?? 0)
        : 0;
      const bonus = ownBonus + wantedBonus(at);
      if (bonus > 0) give(at, bonus);
    }
  }
  const { words, nearness } = chunks;
  const totals = new Float64Array(count);
  let most = -Infinity;
  let shown = from;
  for (let at = 0; at < count; at++) {
    const word = largestWord > 0 ? (words[scoresAt + at] ?? 0) / largestWord : 0;
    const total = word + NEARNESS * (nearness[scoresAt + at] ?? 0) + (bonuses[at] ?? 0);
    totals[at] = total;
    if (total > most) {
      most = total;
      shown = from + at;
    }
  }
  const moreLines: number[] = [];
  for (let at = 0; at < count; at++)
    if ((totals[at] ?? 0) >= most * NEARLY && from + at !== shown)
      moreLines.push(segment.startLines[from + at] ?? 1);
  return { startLine: segment.startLines[shown] ?? 1, endLine: segment.endLines[shown] ?? 1, moreLines };
}

/** Chunks of a file stand in order and have no line in common; `end` for a line that is in none. */
export function chunkWith(
  line: number,
  { startLines, endLines }: Segment,
  from: number,
  end: number,
): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((endLines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low < end && (startLines[low] ?? 0) <= line ? low : end;
}

function likeBonus(like: number): number {
  return like > LEAST_LIKE_NAME ? LIKE_NAME_BONUS * like : 0;
}
