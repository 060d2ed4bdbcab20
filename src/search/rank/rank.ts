/** A question against a view: candidates, features, one linear score per file, and whether the best is above the floor. */
import type { StaticEncoder } from '../../embedding/index.ts';
import { identifiersIn } from '../../text/index.ts';
import { once } from '../../core/index.ts';
import type { Question, ReportQuestion } from '../query/question.ts';
import {
  createFileFacts,
  createFileNames,
  createPathVocabulary,
  type FileFacts,
} from '../view/file-facts.ts';
import { PostingList, type Segment } from '../view/segment.ts';
import type { View } from '../view/view.ts';
import { createScratch, fieldMeans, scoreLexical, type LexicalScores } from './bm25.ts';
import { chooseCandidates } from './candidates.ts';
import { COLUMN, FEATURES, type Feature, type FeatureVector, type Weights } from './features.ts';
import { createDefiningFiles, createPathMatchers } from './match.ts';
import {
  createNeighbours,
  measure,
  weightsByColumn,
  type FeatureMatrix,
  type ReportScores,
} from './measure.ts';
import { createMentionFinder } from './mentions.ts';
import {
  chooseChunk,
  chunkWith,
  scoreDense,
  type ChosenChunk,
  type DenseScores,
  type Passages,
  type WantedDefinitions,
} from './passages.ts';

export interface Ranking {
  /** Best first. */
  readonly files: readonly RankedFile[];
  /** Of every file and chunk. Scratch buffer: the next `rank()` overwrites it, unless this ranking was given its own. */
  readonly lexical: LexicalScores;
  /** Its scores of all files are a scratch buffer in the same way. */
  readonly dense: DenseScores | undefined;
  chunkOf(file: RankedFile, wanted?: WantedDefinitions): ChosenChunk;
  /** How well the passage that holds a line, from 1, matches the title of a pasted text, by BM25. */
  titleNear(file: RankedFile, line: number): number;
}

export interface RankOptions {
  /** Every one of these files is a candidate; exact matches are. */
  readonly certain?: readonly number[];
  /** `own`: the scores of all files are wanted after the next `rank()`. */
  readonly scores?: 'own' | undefined;
  /** Nearness by other vectors than the static ones, from theirs. */
  readonly near?: ((local: DenseScores) => DenseScores) | undefined;
}

/** What is worked out once per view. */
export interface Ranker {
  readonly view: View;
  rank(question: Question, allowed: Uint8Array, weights: Weights, options?: RankOptions): Ranking;
}

export function createRanker(
  view: View,
  encoder: StaticEncoder | undefined,
  isCode: (language: string) => boolean = () => true,
): Ranker {
  const means = fieldMeans(view);
  const createScores = () => ({ ...createScratch(view), near: new Float32Array(view.fileCount) });
  // Megabytes in a large project: allocated once, not per question.
  const shared = createScores();
  const vocabulary = createPathVocabulary(encoder);
  const facts = createFileFacts(view, vocabulary, isCode);
  const neighbours = createNeighbours(view);
  const named = createFileNames(view);
  const matchPaths = createPathMatchers(vocabulary);
  const findMentioned = createMentionFinder(view);
  // Reports are rare: their scratch memory is allocated by the first.
  const titleScratch = once(() => createScratch(view));
  const messageScratch = once(() => createScratch(view));
  const readReported = (report: ReportQuestion, allowed: Uint8Array): ReportScores => ({
    title: scoreLexical(view, { ...titleScratch(), means }, report.title),
    messages: scoreLexical(view, { ...messageScratch(), means }, report.messages),
    mentioned: findMentioned(report.mentions, (file) => allowed[file] === 1),
  });
  return {
    view,
    rank(question, allowed, weights, { certain = [], scores, near } = {}) {
      const scratch = scores === 'own' ? createScores() : shared;
      const lexical = scoreLexical(view, { ...scratch, means }, question.tokens);
      const local =
        encoder === undefined ? undefined : scoreDense(view, question.text, encoder, scratch.near);
      const made = near === undefined || local === undefined ? local : near(local);
      // Files that are all equally far are no answer.
      const dense = made?.isBlank === true ? undefined : made;
      const defining = createDefiningFiles(view);
      const reported = question.report === undefined ? undefined : readReported(question.report, allowed);
      const chosen = chooseCandidates({
        view,
        question,
        lexical,
        dense,
        allowed,
        defining,
        named,
        reported,
        isSource: (file) => isSourceFile(facts.of(file)),
      });
      const candidates = [...new Set([...chosen, ...certain])];
      const { matrix, passages, chunks, largestWord, names } = measure({
        question,
        lexical,
        dense,
        candidates,
        facts,
        neighbours,
        matchPaths,
        defining,
        reported,
        history: view.history,
      });
      const byColumn = weightsByColumn(weights);
      const files = passages.map((own, row) => new RankedFile(own, matrix, row, byColumn));
      return {
        files: files.sort((a, b) => b.score - a.score || (a.facts.path < b.facts.path ? -1 : 1)),
        lexical,
        dense,
        chunkOf: ({ facts: own, scoresAt }, wanted) =>
          chooseChunk({ facts: own, scoresAt, question, chunks, largestWord, names }, wanted),
        titleNear({ facts: { segment, chunkStart, chunkEnd } }, line) {
          const chunk = chunkWith(line, segment, chunkStart, chunkEnd);
          return chunk >= chunkEnd ? 0 : (reported?.title.chunks[segment.firstChunk + chunk] ?? 0);
        },
      };
    },
  };
}

export const isSourceFile = ({ isCode, isSpecial }: FileFacts): boolean => isCode && !isSpecial;

/** A candidate with its score. Its features are a row of the matrix of all candidates. */
export class RankedFile {
  readonly file: number;
  readonly facts: FileFacts;
  readonly score: number;
  /** Where the scores of its chunks begin. */
  readonly scoresAt: number;
  private readonly matrix: FeatureMatrix;
  private readonly row: number;

  constructor({ facts, scoresAt }: Passages, matrix: FeatureMatrix, row: number, weights: Float64Array) {
    this.file = facts.number;
    this.facts = facts;
    this.score = matrix.score(row, weights);
    this.scoresAt = scoresAt;
    this.matrix = matrix;
    this.row = row;
  }

  feature(feature: Feature): number {
    return this.matrix.get(this.row, COLUMN[feature]);
  }

  get features(): FeatureVector {
    // Every feature is given its value.
    return Object.fromEntries(FEATURES.map((name) => [name, this.feature(name)])) as FeatureVector;
  }
}

export interface FloorInput {
  readonly view: View;
  readonly question: Question;
  readonly ranking: Ranking;
  readonly weights: Weights;
}

/**
 * Weights of the floor. They tell labelled questions, whole and cut to a few words, from ones about other projects and from
 * nonsense, asked of single folders and of whole repositories; `npm run bench:floor` measures them.
 */
const FLOOR = {
  nearestPassage: 10.8,
  /** The largest share of the question's words that one passage holds, each counted alike: by rarity, one odd word outweighs the rest. */
  wordsTogether: 6,
  /** What speaks for the best file, as the ranking weighs it. */
  evidence: 0.45,
  /** The share of what the question names that is nowhere in the index. */
  unknownNames: -2.3,
  /** Per e-fold of files: the nearest of many is always a little nearer. */
  files: -0.28,
  always: -8.6,
} as const;

/** A name is there or it is not. */
const CERTAIN = 10;
/** So far above the floor, the words of single passages change nothing. */
const CLEARLY = 2;
/** A single word that no file holds may still be a synonym. */
const SYNONYM_NEARNESS = 0.5;
const FILES_LOOKED_AT = 5;
/** A longer one is a pasted report: it has many words that the project does not know, and is about it nevertheless. */
const MOST_WORDS = 24;

/** They say where a file lies and what became of it, not what it is about. */
const OF_PLACE: readonly Feature[] = [
  'relativeDepth',
  'testOrVendored',
  'compatibility',
  'header',
  'tiny',
  'historyBm25',
  'historyCommits',
];

/**
 * How far above the floor an answer is. Below 0 nothing that was found is about the question, and no code is shown.
 * Undefined where it cannot be told: without vectors, and for long texts.
 */
export function aboveFloor({ view, question, ranking, weights }: FloorInput): number | undefined {
  const files = ranking.files.slice(0, FILES_LOOKED_AT);
  if (ranking.dense === undefined || files.length === 0 || question.words.length > MOST_WORDS)
    return undefined;
  const best = (value: (file: RankedFile) => number): number => Math.max(...files.map(value));
  const isKnown = (hash: number): boolean => view.segments.some(({ terms }) => terms.get(hash) >= 0);
  const isKnownName = (name: string): boolean => {
    const [first] = identifiersIn(name);
    return first?.name === name && first.whole !== undefined && isKnown(first.whole.hash);
  };
  const nearestPassage = best((file) => file.feature('passageNearness'));
  const wordsTogether = (): number => best((file) => shareTogether(file, question));
  if (question.isSymbol) {
    const isThere =
      best((file) => file.feature('definesName')) > 0 ||
      question.spelled.some(isKnownName) ||
      nearestPassage >= SYNONYM_NEARNESS ||
      wordsTogether() === 1;
    return isThere ? CERTAIN : -CERTAIN;
  }
  const evidence = best((file) =>
    FEATURES.reduce(
      (sum, feature) => (OF_PLACE.includes(feature) ? sum : sum + file.feature(feature) * weights[feature]),
      0,
    ),
  );
  const sum =
    FLOOR.always +
    FLOOR.nearestPassage * nearestPassage +
    FLOOR.evidence * evidence +
    FLOOR.unknownNames * shareWithout(question.spelled, isKnownName) +
    FLOOR.files * Math.log(Math.max(1, view.liveFiles));
  return sum > CLEARLY ? sum : sum + FLOOR.wordsTogether * wordsTogether();
}

function shareWithout(texts: readonly string[], isKnown: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter((text) => !isKnown(text)).length / texts.length;
}

/**
 * Those of the files in which hardly any of the words is missing. Rare words go first: their lists are short, and few files are
 * left when the long ones would have to be read.
 */
export function filesHolding(
  files: readonly RankedFile[],
  { stems }: Question,
  { share, rarity }: { readonly share: number; readonly rarity: (stem: number) => number },
): readonly RankedFile[] {
  const mayMiss = Math.floor(stems.length * (1 - share));
  const list = new PostingList();
  const missing = new Map(files.map((file) => [file, 0]));
  for (const stem of stems.toSorted((a, b) => rarity(b) - rarity(a))) {
    let read: Segment | undefined;
    // In order of their segments, so that each list is read once.
    for (const [file, missed] of missing) {
      const { segment, chunkStart, chunkEnd } = file.facts;
      if (segment !== read) list.read(segment.chunkPostings, segment.terms.get(stem));
      read = segment;
      const { documents, size } = list;
      const place = firstFrom(documents, size, chunkStart);
      if (place < size && (documents[place] ?? 0) < chunkEnd) continue;
      if (missed === mayMiss) missing.delete(file);
      else missing.set(file, missed + 1);
    }
    if (missing.size === 0) break;
  }
  return [...missing.keys()];
}

/** The largest share of the question's words that one passage of the file holds. */
export function shareTogether(
  { facts: { segment, chunkStart, chunkEnd } }: Pick<RankedFile, 'facts'>,
  { stems }: Question,
): number {
  const list = new PostingList();
  const held = new Map<number, number>();
  for (const hash of stems) {
    const { documents, size } = list.read(segment.chunkPostings, segment.terms.get(hash));
    for (let place = firstFrom(documents, size, chunkStart); place < size; place++) {
      const chunk = documents[place] ?? 0;
      if (chunk >= chunkEnd) break;
      held.set(chunk, (held.get(chunk) ?? 0) + 1);
    }
  }
  return stems.length === 0 ? 0 : Math.max(0, ...held.values()) / stems.length;
}

/** The place of the first document from this one on; they are in order. */
function firstFrom(documents: Uint32Array, size: number, least: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
