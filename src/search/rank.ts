/** A question against a view: candidates, features, one linear score per file. */
import type { StaticEncoder } from '../embedding/index.ts';
import { createScratch, fieldMeans, scoreLexical, type FieldMeans, type LexicalScores } from './bm25.ts';
import { chooseCandidates } from './candidates.ts';
import { chooseChunk, type ChosenChunk, type WantedDefinitions } from './choose-chunk.ts';
import { scoreDense, type DenseScores } from './dense.ts';
import type { Weights } from './features.ts';
import { createFileNames } from './file-names.ts';
import { createFileFacts, type FileFactsReader } from './file-facts.ts';
import { measure, type Measured } from './measure.ts';
import { createLikenesses } from './path-match.ts';
import type { Question } from './question.ts';
import type { View } from './view.ts';

export type RankedFile = Measured;

export interface Ranking {
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  chunkOf(file: RankedFile, wanted?: WantedDefinitions): ChosenChunk;
}

/** What is worked out once per view. */
export interface Ranker {
  readonly view: View;
  /** Of the `certain` files every one is a candidate; exact matches are. */
  rank(question: Question, allowed: Uint8Array, weights: Weights, certain?: readonly number[]): Ranking;
}

export function createRanker(view: View, encoder: StaticEncoder | undefined): Ranker {
  const means: FieldMeans = fieldMeans(view);
  const scratch = createScratch(view);
  const facts: FileFactsReader = createFileFacts(view, encoder);
  const named = createFileNames(view);
  const likenesses = createLikenesses(encoder);
  return {
    view,
    rank(question, allowed, weights, certain = []) {
      const lexical = scoreLexical(view, { means, ...scratch }, question.tokens);
      const dense = encoder === undefined ? undefined : scoreDense(view, question.text, encoder);
      const chosen = chooseCandidates({ view, question, lexical, dense, allowed, named });
      const candidates = [...new Set([...chosen, ...certain])];
      const { measured, names, bestChunk } = measure({
        view,
        question,
        lexical,
        dense,
        candidates,
        facts,
        likenesses,
        weights,
      });
      const files = measured.sort((a, b) => b.score - a.score || (a.facts.path < b.facts.path ? -1 : 1));
      return {
        files,
        lexical,
        dense,
        chunkOf: ({ facts: of }, wanted) =>
          chooseChunk(of, question, { lexical, dense, best: bestChunk }, names, wanted),
      };
    },
  };
}
