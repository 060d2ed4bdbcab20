/** Tool `analyze_query`: how a search came to its answer. */
import * as z from 'zod';
import { HIT_LIMITS } from '../core/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { ensureIndexed, FRESHNESS_VALUE, renderFreshness, toFreshnessValue } from './freshness.ts';
import { renderAnalysis, renderReading } from './render-analysis.ts';

const RANK = z.number().nullable();

export const analyzeQuery = defineTool({
  name: 'analyze_query',
  toolset: 'diagnose',
  scope: 'search',
  title: 'Analyze a query',
  description:
    'Explain a search: how the query was read, what each stage did in how much time, the rank of each hit in each list, ' +
    'and the points of every feature. Use it when search_code gives an answer you did not expect.',
  project: 'required',
  input: z.strictObject({
    query: z.string().describe('As for search_code'),
    limit: z.number().int().min(1).max(HIT_LIMITS.analyze.most).optional(),
  }),
  output: z.object({
    read_as: z.array(z.string()),
    stages: z.array(z.object({ name: z.string(), files: z.number().nullable(), ms: z.number() })),
    hits: z.array(
      z.object({
        path: z.string(),
        start_line: z.number(),
        score: z.number(),
        ranks: z.object({ chunks: RANK, file: RANK, names: RANK, path: RANK, nearest: RANK }),
        features: z.array(
          z.object({
            feature: z.string(),
            meaning: z.string(),
            value: z.number(),
            weight: z.number(),
            points: z.number(),
          }),
        ),
      }),
    ),
    notes: z.array(z.string()).optional(),
    index: FRESHNESS_VALUE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'where are sessions expired' },
  async run(input, call) {
    const ensured = await ensureIndexed(call);
    if (ensured.kind === 'failed') return ensured.answer;
    const analysis = await call.services.engine.analyzeQuery(
      {
        roots: [projectOf(call).project.root],
        query: input.query,
        limit: input.limit,
        detail: 'locations',
      },
      { signal: call.signal },
    );
    return {
      text: [renderFreshness(ensured.freshness), renderAnalysis(analysis)].join('\n'),
      structured: {
        read_as: renderReading(analysis),
        stages: analysis.stages.map(({ name, count, ms }) => ({ name, files: count ?? null, ms: round(ms) })),
        hits: analysis.hits.map(({ path, startLine, score, ranks, features }) => ({
          path,
          start_line: startLine,
          score: round(score),
          ranks: {
            chunks: ranks.chunks ?? null,
            file: ranks.file ?? null,
            names: ranks.names ?? null,
            path: ranks.path ?? null,
            nearest: ranks.nearest ?? null,
          },
          features: features.map(({ feature, meaning, value, weight, points }) => ({
            feature,
            meaning,
            value: round(value),
            weight: round(weight),
            points: round(points),
          })),
        })),
        ...(analysis.encoderNotes.length === 0
          ? {}
          : { notes: analysis.encoderNotes.map(({ text }) => text) }),
        index: toFreshnessValue(ensured.freshness),
      },
    };
  },
});

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
