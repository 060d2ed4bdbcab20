/** A question against a view: candidates, features, one linear score per file. */
import type { StaticEncoder } from '../../embedding/index.ts';
import { Arena } from './arena.ts';
import { createScratch, fieldMeans, scoreLexical, type FieldMeans, type LexicalScores } from './bm25.ts';
import { chooseCandidates, rememberDefining } from './candidates.ts';
import { chooseChunk, type ChosenChunk, type WantedDefinitions } from './choose-chunk.ts';
import { scoreDense, type DenseScores } from './dense.ts';
import type { Weights } from './features.ts';
import { createFileNames } from '../view/file-names.ts';
import { createFileFacts, type FileFactsReader } from '../view/file-facts.ts';
import { measure } from './measure.ts';
import { listWeights, type Measured } from './measured.ts';
import { createNeighbours } from './neighbours.ts';
import { createPathMatchers } from './path-match.ts';
import { createPathVocabulary } from '../view/path-vocabulary.ts';
import type { Question } from '../query/question.ts';
import type { View } from '../view/view.ts';

export type RankedFile = Measured;

export interface Ranking {
  /** Best first. */
  readonly files: readonly RankedFile[];
  /** Of every file and chunk. Unless they were asked for, they are another query's as soon as there is one. */
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  chunkOf(file: RankedFile, wanted?: WantedDefinitions): ChosenChunk;
}

export interface RankOptions {
  /** Every one of these files is a candidate; exact matches are. */
  readonly certain?: readonly number[];
  /** Whether the scores of all files are wanted after the answer. */
  readonly scores?: 'own';
  /** Nearness by other vectors than the static ones, from theirs. */
  readonly near?: ((local: DenseScores) => DenseScores) | undefined;
}

/** What is worked out once per view. */
export interface Ranker {
  readonly view: View;
  rank(question: Question, allowed: Uint8Array, weights: Weights, options?: RankOptions): Ranking;
}

export function createRanker(view: View, encoder: StaticEncoder | undefined): Ranker {
  const means: FieldMeans = fieldMeans(view);
  const makeScratch = () => ({
    means,
    ...createScratch(view),
    near: { files: new Float32Array(view.fileCount) },
  });
  const shared = makeScratch();
  const vocabulary = createPathVocabulary(encoder);
  const facts: FileFactsReader = createFileFacts(view, vocabulary);
  const neighbours = createNeighbours(view);
  const named = createFileNames(view);
  const matchPaths = createPathMatchers(vocabulary);
  const arena = new Arena();
  let room = new Float64Array(0);
  let listed: { readonly of: Weights; readonly list: Float64Array } | undefined;
  return {
    view,
    rank(question, allowed, weights, { certain = [], scores, near } = {}) {
      // Megabytes at every query would be as much garbage.
      const scratch = scores === 'own' ? makeScratch() : shared;
      const lexical = scoreLexical(view, scratch, question.tokens);
      const local =
        encoder === undefined ? undefined : scoreDense(view, question.text, encoder, scratch.near);
      const made = near === undefined || local === undefined ? local : near(local);
      // Files that are all equally far are no answer.
      const dense = made?.isBlank === true ? undefined : made;
      const defining = rememberDefining(view);
      const chosen = chooseCandidates({ view, question, lexical, dense, allowed, defining, named });
      const candidates = [...new Set([...chosen, ...certain])];
      if (listed?.of !== weights) listed = { of: weights, list: listWeights(weights) };
      arena.clear();
      const { measured, names, chunks, bestChunk } = measure({
        question,
        lexical,
        dense,
        candidates,
        facts,
        neighbours,
        matchPaths,
        defining,
        weights: listed.list,
        arena,
      });
      const files = measured.sort((a, b) => b.score - a.score || (a.facts.path < b.facts.path ? -1 : 1));
      if (room.length < chunks.words.length) room = new Float64Array(2 * chunks.words.length);
      const shown = { ...chunks, best: bestChunk, room };
      return {
        files,
        lexical,
        dense,
        chunkOf: (file, wanted) => chooseChunk(file, question, shown, names, wanted),
      };
    },
  };
}
