/** Which files are worth a closer look: the best of several cheap lists. */
import { hashWord, identifiersIn } from '../../text/index.ts';
import { LOOKS_LIKE_NAME, type Question } from '../query/question.ts';
import { segmentOf, pathFlags } from '../view/file-facts.ts';
import { PostingList } from '../view/segment.ts';
import type { View } from '../view/view.ts';
import type { LexicalScores } from './bm25.ts';
import type { DenseScores } from './passages.ts';
import { definitionCount, filesDefining, type DefiningFiles } from './match.ts';
import type { ReportScores } from './measure.ts';

const BEST_CHUNKS = 60;
const NEAREST_FILES = 40;
const BEST_FILES = 20;
const BEST_BY_NAMES = 15;
const BEST_BY_PATH = 15;
const MOST_DEFINING = 60;
const REPORT_FILES = 60;
const REPORT_CHUNKS = 80;
/** A report mentions many names. */
const MOST_DEFINING_MENTIONED = 5;
/** What is defined more often is so in more files. */
const MOST_DEFINITIONS = 40;

export interface CandidateInput {
  readonly view: View;
  readonly question: Question;
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  /** 1 for each file that may be found at all. */
  readonly allowed: Uint8Array;
  readonly defining: DefiningFiles;
  /** Files whose own name is this, whatever its case and joints. */
  readonly named: (name: string) => readonly number[];
  readonly reported: ReportScores | undefined;
  /** Code, and no test, example or vendored file. */
  readonly isSource: (file: number) => boolean;
}

/** Numbers of files, each once, in no order that means anything but always the same. */
export function chooseCandidates(input: CandidateInput): number[] {
  const { view, question, lexical, dense, allowed } = input;
  const chosen = new Set<number>();
  const add = (file: number): void => {
    if (allowed[file] === 1) chosen.add(file);
  };
  // What is not allowed must not fill a list.
  const passes = (file: number): boolean => allowed[file] === 1;
  const chunkPasses = (chunk: number): boolean => passes(fileOfAnyChunk(view, chunk));
  for (const chunk of topOf(lexical.chunks, BEST_CHUNKS, { passes: chunkPasses }))
    add(fileOfAnyChunk(view, chunk));
  if (dense !== undefined)
    for (const file of topOf(dense.files, NEAREST_FILES, { above: -1, passes })) add(file);
  for (const file of topOf(lexical.files, BEST_FILES, { passes })) add(file);
  for (const file of topOf(lexical.names, BEST_BY_NAMES, { passes })) add(file);
  for (const file of topOf(lexical.paths, BEST_BY_PATH, { passes })) add(file);
  for (const name of [...question.names, ...question.plainNames]) {
    const files = input.defining(name);
    if (files.size <= MOST_DEFINING) for (const file of files.keys()) add(file);
  }
  if (question.isSymbol) for (const name of question.spelled) for (const file of input.named(name)) add(file);
  if (input.reported !== undefined) addReported(input, input.reported, add);
  return [...chosen];
}

/** Reports hold many words, and tests and documents hold them all: source files have lists of their own. */
function addReported(
  { view, question, lexical, dense, allowed, defining, isSource }: CandidateInput,
  { title, messages, mentioned }: ReportScores,
  add: (file: number) => void,
): void {
  const passes = (file: number): boolean => allowed[file] === 1 && isSource(file);
  const chunkPasses = (chunk: number): boolean => passes(fileOfAnyChunk(view, chunk));
  for (const scores of [lexical.files, title.files, messages.files])
    for (const file of topOf(scores, REPORT_FILES, { passes })) add(file);
  for (const scores of [lexical.chunks, title.chunks, messages.chunks])
    for (const chunk of topOf(scores, REPORT_CHUNKS, { passes: chunkPasses }))
      add(fileOfAnyChunk(view, chunk));
  for (const scores of [lexical.names, title.names, lexical.paths, title.paths])
    for (const file of topOf(scores, BEST_BY_NAMES, { passes })) add(file);
  if (dense !== undefined)
    for (const file of topOf(dense.files, NEAREST_FILES, { above: -1, passes })) add(file);
  for (const files of Object.values(mentioned)) for (const file of files.keys()) add(file);
  for (const name of question.report?.mentioned.keys() ?? []) {
    if (definitionCount(view, name) > MOST_DEFINITIONS) continue;
    const files = defining(name);
    if (files.size <= MOST_DEFINING_MENTIONED) for (const file of files.keys()) add(file);
  }
}

function fileOfAnyChunk(view: View, chunk: number): number {
  let found = view.segments[0];
  for (const segment of view.segments) if (segment.firstChunk <= chunk) found = segment;
  return found === undefined ? -1 : found.firstFile + (found.fileOfChunk[chunk - found.firstChunk] ?? 0);
}

export interface TopOptions {
  /** Only scores above it count; above 0 if left out. A number that 32 bits hold. */
  readonly above?: number;
  /** Asked only about numbers whose score is good enough. */
  readonly passes?: (number: number) => boolean;
}

/** One in so many is looked at first: from the best of them it is known how good the others have to be. */
const SAMPLE = 16;
/** Of the sample, this many times what its share of the best would be: too few of all are found hardly ever. */
const CAUTION = 3;
/** Below, looking twice takes longer. */
const WORTH_SAMPLING = 4096;

/** Numbers of the `most` largest scores, best first; of equal scores the smaller number. Each score is a number. */
export function topOf(
  scores: Float32Array,
  most: number,
  { above = 0, passes }: TopOptions = {},
): readonly number[] {
  if (most <= 0) return [];
  if (scores.length >= WORTH_SAMPLING) {
    const some = bestOf(scores, Math.ceil((CAUTION * most) / SAMPLE), { above, passes, step: SAMPLE });
    const floor = some.isFull ? some.worst() : above;
    // Those with just that score are left out, so that the answer counts only if there were enough above it.
    const best = floor > above ? bestOf(scores, most, { above: floor, passes, step: 1 }) : undefined;
    if (best?.isFull === true) return best.numbers;
  }
  return bestOf(scores, most, { above, passes, step: 1 }).numbers;
}

interface Looking {
  readonly above: number;
  readonly passes: TopOptions['passes'];
  readonly step: number;
}

function bestOf(scores: Float32Array, most: number, { above, passes, step }: Looking): Best {
  const best = new Best(most);
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  // What is not above the worst of the best so far is passed over.
  let floor = above;
  for (let at = 0; ; at += step) {
    at = floor < 0 ? nextAbove(scores, floor, at, step) : nextBitsAbove(bits, bitsOf(floor), at, step);
    if (at >= scores.length) return best;
    if (passes !== undefined && !passes(at)) continue;
    best.add(at, scores[at] ?? 0);
    if (best.isFull) floor = best.worst();
  }
}

/** The place of the next one above the floor; behind the end if there is none. */
function nextAbove(scores: Float32Array, floor: number, from: number, step: number): number {
  const { length } = scores;
  let at = from;
  while (at < length && !((scores[at] ?? 0) > floor)) at += step;
  return at;
}

/**
 * The same for a floor that is not below zero, where the bits of two numbers, read as whole ones, are in the order of the
 * numbers, and compared in half the time. By itself, since most of the time is spent here.
 */
function nextBitsAbove(bits: Int32Array, floor: number, from: number, step: number): number {
  const { length } = bits;
  let at = from;
  while (at < length && (bits[at] ?? 0) <= floor) at += step;
  return at;
}

const oneNumber = new Float32Array(1);
const itsBits = new Int32Array(oneNumber.buffer);

function bitsOf(value: number): number {
  // Of the two zeros the one whose bits are no negative number.
  oneNumber[0] = value + 0;
  return itsBits[0] ?? 0;
}

/** In order, by moving worse ones on: there are a few dozen at most. */
class Best {
  readonly numbers: number[] = [];
  private readonly scores: number[] = [];
  private readonly room: number;

  constructor(room: number) {
    this.room = room;
  }

  get isFull(): boolean {
    return this.numbers.length === this.room;
  }

  worst(): number {
    return this.scores[this.scores.length - 1] ?? 0;
  }

  /** In place of the worst, where there is no room. Comes behind those with the same score. */
  add(number: number, score: number): void {
    const { numbers, scores } = this;
    if (!this.isFull) {
      numbers.push(number);
      scores.push(score);
    }
    let at = numbers.length - 1;
    for (; at > 0 && (scores[at - 1] ?? 0) < score; at--) {
      scores[at] = scores[at - 1] ?? 0;
      numbers[at] = numbers[at - 1] ?? 0;
    }
    scores[at] = score;
    numbers[at] = number;
  }
}

/** A plain word may be a topic, and files that are about it need not hold it. */
const MOST_HOLDING_WORD = 5;
const MOST_HOLDING_NAME = 60;
const NO_FILES: ReadonlySet<number> = new Set();

/**
 * Numbers of the files; none where the question is another one, or many files hold the word. Where the code itself defines it,
 * the ranking knows better: what it learnt about names is worth more than one more file that holds it.
 */
export function filesHoldingRareWord(view: View, { text }: Pick<Question, 'text'>): ReadonlySet<number> {
  const [word, ...others] = identifiersIn(text);
  if (word?.whole === undefined || others.length > 0) return NO_FILES;
  if (isDefinedInCode(view, hashWord(word.name))) return NO_FILES;
  const most = LOOKS_LIKE_NAME.test(word.name) ? MOST_HOLDING_NAME : MOST_HOLDING_WORD;
  const { hash } = word.whole;
  const files = new Set<number>();
  const list = new PostingList();
  for (const { terms, chunkPostings, fileOfChunk, alive, firstFile } of view.segments) {
    const { documents, size } = list.read(chunkPostings, terms.get(hash));
    for (let at = 0; at < size; at++) {
      const file = fileOfChunk[documents[at] ?? 0] ?? 0;
      if (alive[file] === 1) files.add(firstFile + file);
      if (files.size > most) return NO_FILES;
    }
  }
  return files;
}

/** Not by tests, examples or vendored code alone. */
function isDefinedInCode(view: View, name: number): boolean {
  return [...filesDefining(view, name).keys()].some((file) => {
    const segment = segmentOf(view, file);
    const path = segment.files[file - segment.firstFile]?.path ?? '';
    const { test, example, vendored } = pathFlags(path, () => false);
    return !test && !example && !vendored;
  });
}
