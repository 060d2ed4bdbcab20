/** A question against a view: candidates, features, one linear score per file. */
import type { StaticEncoder } from '../../embedding/index.ts';
import type { Question } from '../query/question.ts';
import {
  createFileFacts,
  createFileNames,
  createPathVocabulary,
  type FileFacts,
} from '../view/file-facts.ts';
import type { View } from '../view/view.ts';
import { createScratch, fieldMeans, scoreLexical, type LexicalScores } from './bm25.ts';
import { chooseCandidates } from './candidates.ts';
import { COLUMN, FEATURES, type Feature, type FeatureVector, type Weights } from './features.ts';
import { createDefiningFiles, createPathMatchers } from './match.ts';
import { createNeighbours, measure, weightsByColumn, type FeatureMatrix } from './measure.ts';
import {
  chooseChunk,
  scoreDense,
  type ChosenChunk,
  type DenseScores,
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

export function createRanker(view: View, encoder: StaticEncoder | undefined): Ranker {
  const means = fieldMeans(view);
  const createScores = () => ({ ...createScratch(view), near: new Float32Array(view.fileCount) });
  // Megabytes in a large project: allocated once, not per question.
  const shared = createScores();
  const vocabulary = createPathVocabulary(encoder);
  const facts = createFileFacts(view, vocabulary);
  const neighbours = createNeighbours(view);
  const named = createFileNames(view);
  const matchPaths = createPathMatchers(vocabulary);
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
      const chosen = chooseCandidates({ view, question, lexical, dense, allowed, defining, named });
      const candidates = [...new Set([...chosen, ...certain])];
      const measured = measure({
        question,
        lexical,
        dense,
        candidates,
        facts,
        neighbours,
        matchPaths,
        defining,
      });
      const { matrix, chunks, largestWord, names } = measured;
      const byColumn = weightsByColumn(weights);
      const files = measured.files.map(
        (own, row) =>
          new RankedFile(
            {
              file: candidates[row] ?? 0,
              facts: own,
              firstChunk: measured.places[row] ?? 0,
              score: matrix.score(row, byColumn),
            },
            matrix,
            row,
          ),
      );
      return {
        files: files.sort((a, b) => b.score - a.score || (a.facts.path < b.facts.path ? -1 : 1)),
        lexical,
        dense,
        chunkOf: ({ facts: own, firstChunk }, wanted) =>
          chooseChunk({ facts: own, firstChunk, question, chunks, largestWord, names }, wanted),
      };
    },
  };
}

/** A candidate with its score. Its features are a row of the matrix of all candidates. */
export class RankedFile {
  readonly file: number;
  readonly facts: FileFacts;
  readonly score: number;
  /** Where the scores of its chunks begin. */
  readonly firstChunk: number;
  private readonly matrix: FeatureMatrix;
  private readonly row: number;

  constructor(
    { file, facts, score, firstChunk }: Pick<RankedFile, 'file' | 'facts' | 'score' | 'firstChunk'>,
    matrix: FeatureMatrix,
    row: number,
  ) {
    this.file = file;
    this.facts = facts;
    this.score = score;
    this.firstChunk = firstChunk;
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
