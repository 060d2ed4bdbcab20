/** What a search did, step by step, and why each hit stands where it does. Pure, but for a stopwatch. */
import type { Clock } from '../../core/index.ts';
import { FEATURE_MEANINGS, FEATURES, type Feature, type Weights } from '../rank/features.ts';
import { notesOf, type FoundInProject } from '../find.ts';
import { FOREMOST, type EncoderNote, type Foremost, type Hit } from './hit.ts';
import type { ParsedQuery } from '../query/parse-query.ts';
import { spanOf } from '../view/segment.ts';
import type { View } from '../view/view.ts';

/** The lists that candidates come from. */
export const RANK_LISTS = ['chunks', 'file', 'names', 'path', 'nearest'] as const;
export type RankList = (typeof RANK_LISTS)[number];

export interface Stage {
  readonly name: string;
  /** How many files were left after it; none where it does not choose. */
  readonly count: number | undefined;
  readonly ms: number;
}

export interface FeaturePoints {
  readonly feature: Feature | Foremost;
  readonly meaning: string;
  readonly value: number;
  readonly weight: number;
  readonly points: number;
}

export interface AnalyzedHit {
  readonly rank: number;
  readonly root: string;
  readonly path: string;
  readonly startLine: number;
  readonly score: number;
  /** Its place in each list, from 1; nothing where it is not in it. */
  readonly ranks: Readonly<Record<RankList, number | undefined>>;
  /** Every feature that counts, the strongest first. */
  readonly features: readonly FeaturePoints[];
}

export interface Analysis {
  readonly words: readonly string[];
  /** Read as the name of something. */
  readonly isSymbol: boolean;
  readonly names: readonly string[];
  readonly phrases: readonly string[];
  readonly pattern: string | undefined;
  readonly filters: ParsedQuery['filters'];
  /** As in the answer of a search. */
  readonly encoderNotes: readonly EncoderNote[];
  readonly stages: readonly Stage[];
  readonly hits: readonly AnalyzedHit[];
}

export interface AnalyzeInput {
  readonly query: ParsedQuery;
  readonly weights: Weights;
  readonly projects: readonly {
    readonly root: string;
    readonly view: View;
    readonly found: FoundInProject | undefined;
  }[];
  readonly hits: readonly Hit[];
  readonly laps: ReadonlyMap<string, number>;
}

export function analyze({ query, weights, projects, hits, laps }: AnalyzeInput): Analysis {
  const found = projects.flatMap((project) => (project.found === undefined ? [] : [project.found]));
  const questions = found.map(({ question }) => question);
  return {
    words: [...new Set(questions.flatMap(({ words }) => words))],
    isSymbol: questions.some(({ isSymbol }) => isSymbol),
    names: [...new Set(questions.flatMap(({ spelled }) => spelled))],
    phrases: query.phrases,
    pattern: query.pattern?.source,
    filters: query.filters,
    encoderNotes: notesOf(found),
    stages: stagesOf(projects, found, laps),
    hits: hits.map((hit) => {
      const project = projects.find(({ root }) => root === hit.root);
      const { rank, root, path, startLine, score } = hit;
      const base = { rank, root, path, startLine, score };
      if (project?.found === undefined) return { ...base, ranks: NO_RANKS, features: [] };
      return { ...base, ...explain(path, project.found, project.view, weights) };
    }),
  };
}

const NO_RANKS: AnalyzedHit['ranks'] = {
  chunks: undefined,
  file: undefined,
  names: undefined,
  path: undefined,
  nearest: undefined,
};

function stagesOf(
  projects: AnalyzeInput['projects'],
  found: readonly FoundInProject[],
  laps: ReadonlyMap<string, number>,
): Stage[] {
  const sum = (count: (one: FoundInProject) => number): number =>
    found.reduce((total, one) => total + count(one), 0);
  const isExact = found.some(({ exact }) => exact !== undefined);
  return [
    { name: 'read the query', count: undefined, ms: laps.get('read the query') ?? 0 },
    {
      name: 'load the index',
      count: projects.reduce((total, { view }) => total + view.liveFiles, 0),
      ms: laps.get('load the index') ?? 0,
    },
    { name: 'pass the filters', count: sum(({ passed }) => ones(passed)), ms: sum(({ ms }) => ms.filter) },
    ...(isExact
      ? [
          {
            name: 'hold the exact text',
            count: sum(({ exact }) => exact?.files.size ?? 0),
            ms: sum(({ ms }) => ms.exact),
          },
        ]
      : []),
    { name: 'candidates, ranked', count: sum(({ files }) => files.length), ms: sum(({ ms }) => ms.rank) },
    { name: 'read and show', count: undefined, ms: laps.get('read and show') ?? 0 },
  ];
}

function explain(
  path: string,
  { ranking, allowed, exact, rare }: FoundInProject,
  view: View,
  weights: Weights,
): Pick<AnalyzedHit, 'ranks' | 'features'> {
  const file = ranking.files.find(({ facts }) => facts.path === path);
  if (file === undefined) return { ranks: NO_RANKS, features: [] };
  const { segment, chunkStart, chunkEnd } = file.facts;
  const first = segment.firstChunk + chunkStart;
  const end = segment.firstChunk + chunkEnd;
  let best = 0;
  for (let chunk = first; chunk < end; chunk++) best = Math.max(best, ranking.lexical.chunks[chunk] ?? 0);
  const features: FeaturePoints[] = FEATURES.map((feature) => ({
    feature,
    meaning: FEATURE_MEANINGS[feature],
    value: file.features[feature],
    weight: weights[feature],
    points: file.features[feature] * weights[feature],
  }));
  const foremost: readonly Foremost[] = [
    ...(exact?.files.has(file.file) === true ? ['exact' as const] : []),
    ...(rare.has(file.file) ? ['rare' as const] : []),
  ];
  const certain = foremost.map((feature): FeaturePoints => {
    const { points, meaning } = FOREMOST[feature];
    return { feature, meaning, value: 1, weight: points, points };
  });
  const of = (scores: ArrayLike<number>): number | undefined =>
    rankAmong(scores, scores[file.file] ?? 0, allowed);
  return {
    ranks: {
      chunks: rankAmong(ranking.lexical.chunks, best, allowedChunks(view, allowed)),
      file: of(ranking.lexical.files),
      names: of(ranking.lexical.names),
      path: of(ranking.lexical.paths),
      nearest: ranking.dense === undefined ? undefined : of(ranking.dense.files),
    },
    features: [...certain, ...features]
      .filter(({ points }) => points !== 0)
      .sort((a, b) => Math.abs(b.points) - Math.abs(a.points)),
  };
}

/** One more than there are better ones; nothing for a score that is none. */
export function rankAmong(scores: ArrayLike<number>, score: number, allowed: Uint8Array): number | undefined {
  if (score <= 0) return undefined;
  let better = 0;
  for (let at = 0; at < scores.length; at++) if (allowed[at] === 1 && (scores[at] ?? 0) > score) better += 1;
  return better + 1;
}

function allowedChunks({ segments, chunkCount }: View, allowed: Uint8Array): Uint8Array {
  const chunks = new Uint8Array(chunkCount);
  for (const { files, firstFile, firstChunk, chunkOffsets } of segments)
    for (let file = 0; file < files.length; file++) {
      if (allowed[firstFile + file] !== 1) continue;
      const { start, end } = spanOf(chunkOffsets, file);
      chunks.fill(1, firstChunk + start, firstChunk + end);
    }
  return chunks;
}

function ones(marks: Uint8Array): number {
  let count = 0;
  for (const one of marks) count += one;
  return count;
}

export interface Stopwatch {
  readonly laps: ReadonlyMap<string, number>;
  /** The time since the lap before goes under this name. */
  lap(name: string): void;
}

export function createStopwatch(clock: Clock): Stopwatch {
  const laps = new Map<string, number>();
  let last = clock.elapsed();
  return {
    laps,
    lap(name) {
      const now = clock.elapsed();
      laps.set(name, now - last);
      last = now;
    },
  };
}
