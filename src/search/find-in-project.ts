/** A parsed query in one project: files with their scores, best first, and the lines to show of each. */
import type { LineRange } from '../core/index.ts';
import { hashWord } from '../text/index.ts';
import { findExact, type ExactFound } from './exact.ts';
import { FEATURES, type Weights } from './features.ts';
import { allowedFiles, weightOf } from './filters.ts';
import type { Reason } from './hit.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { SearchParts } from './ports.ts';
import { readQuestion, type Question } from './question.ts';
import type { RankedFile, Ranking } from './rank.ts';
import type { Searcher } from './searcher.ts';

export interface FoundFile {
  readonly root: string;
  readonly path: string;
  readonly language: string;
  readonly hash: string;
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** Where its best chunk is. */
  readonly chunk: LineRange & { readonly more: number };
  /** Lines that match exactly. */
  readonly matches: readonly number[] | undefined;
  readonly question: Question;
  readonly rarity: (hash: number) => number;
}

export interface FoundInProject {
  readonly files: readonly FoundFile[];
  readonly isPartial: boolean;
  readonly ranking: Ranking;
  readonly question: Question;
}

/** Stands above anything that ranking alone can give. */
const EXACT_POINTS = 20;
const MOST_REASONS = 5;

export interface FindInput {
  readonly root: string;
  readonly searcher: Searcher;
  readonly query: ParsedQuery;
  readonly weights: Weights;
  readonly signal: AbortSignal;
  /** A question that was made in another way than from the query's words. */
  readonly question?: Question;
}

export async function findInProject(input: FindInput, parts: SearchParts): Promise<FoundInProject> {
  const { root, searcher, query, weights, signal } = input;
  const { ranker } = searcher;
  const allowed = allowedFiles(ranker.view, query.filters, parts);
  const isExact = query.phrases.length > 0 || query.pattern !== undefined;
  const exact = isExact
    ? await findExact(
        {
          root,
          view: ranker.view,
          allowed,
          phrases: query.phrases,
          pattern: query.pattern,
          trigrams: () => searcher.trigrams(),
          signal,
        },
        parts,
      )
    : undefined;
  if (exact !== undefined)
    for (let file = 0; file < allowed.length; file++) if (!exact.files.has(file)) allowed[file] = 0;
  const asked = [query.words, ...query.filters.symbols].join(' ').trim();
  const question = input.question ?? readQuestion(query.pattern?.source ?? asked);
  const ranking = ranker.rank(question, allowed, weights, exact === undefined ? [] : [...exact.files.keys()]);
  const wanted = {
    names: query.filters.symbols.map(hashWord),
    weights: query.filters.kinds.map(weightOf).filter((weight) => weight > 0),
  };
  const files = ranking.files.map((file): FoundFile => {
    const { segment, local } = file.facts;
    const entry = segment.files[local];
    return {
      root,
      path: file.facts.path,
      language: entry?.language ?? '',
      hash: entry?.hash ?? '',
      score: file.score + (exact === undefined ? 0 : EXACT_POINTS),
      reasons: reasonsOf(file, weights, exact),
      chunk: ranking.chunkOf(file, wanted),
      matches: exact?.files.get(file.file),
      question,
      rarity: ranking.lexical.fileRarity,
    };
  });
  return { files, isPartial: exact?.isComplete === false, ranking, question };
}

function reasonsOf({ features }: RankedFile, weights: Weights, exact: ExactFound | undefined): Reason[] {
  const reasons: Reason[] = FEATURES.map((feature) => ({
    feature,
    points: Math.round(features[feature] * weights[feature] * 100) / 100,
  })).filter(({ points }) => points !== 0);
  if (exact !== undefined) reasons.push({ feature: 'exact', points: EXACT_POINTS });
  return reasons.sort((a, b) => Math.abs(b.points) - Math.abs(a.points)).slice(0, MOST_REASONS);
}
