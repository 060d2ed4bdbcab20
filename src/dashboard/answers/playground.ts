/** A search as agents get it, with the points of every feature behind each rank. */
import * as z from 'zod';
import { AppError, HIT_LIMITS, SEARCH_KINDS } from '../../core/index.ts';
import type { Analysis, SearchAnswer } from '../../search/index.ts';
import type { HitValue, SearchAnswerValue } from '../api.ts';
import { defineRoute, projectAt } from '../page-route.ts';

const NAMES = z.array(z.string().max(200)).max(20);
const USUAL_HITS = 10;

export const PLAYGROUND_ROUTES = [
  defineRoute({
    verb: 'POST',
    path: 'search',
    input: z.strictObject({
      root: z.string().min(1).max(4_096),
      query: z.string().min(1, 'ask something').max(20_000),
      lang: NAMES.optional(),
      path: NAMES.optional(),
      kind: z.array(z.enum(SEARCH_KINDS)).optional(),
      changed: z.boolean().optional(),
      limit: z.number().int().min(1).max(HIT_LIMITS.analyze.most).default(USUAL_HITS),
    }),
    async answer(request): Promise<SearchAnswerValue> {
      const { call, page, input } = request;
      const { root } = await projectAt(request, input.root);
      const engine = page.engine.forClient(call.clientKey);
      const { signal } = call;
      const freshness = await engine.ensureIndex({ root, mayWrite: true }, { signal });
      if (freshness.state === 'missing')
        throw new AppError('not_found', 'This project has no index yet.', {
          hint: 'Index it on the Projects screen.',
        });
      const asked = {
        roots: [root],
        query: input.query,
        languages: input.lang,
        paths: input.path,
        kinds: input.kind,
        changed: input.changed,
        limit: input.limit,
      };
      const [found, analysis] = await Promise.all([
        engine.search({ ...asked, detail: 'snippets' }, { signal }),
        engine.analyzeQuery({ ...asked, detail: 'locations' }, { signal }),
      ]);
      return toAnswer(found, analysis);
    },
  }),
];

function toAnswer(found: SearchAnswer, analysis: Analysis): SearchAnswerValue {
  return {
    readAs: [
      ...(analysis.isSymbol ? ['read as the name of something'] : []),
      ...analysis.phrases.map((phrase) => `exact text “${phrase}”`),
      ...(analysis.pattern === undefined ? [] : [`expression /${analysis.pattern}/`]),
    ],
    stages: analysis.stages.map(({ name, count, ms }) => ({ name, files: count ?? null, ms })),
    notes: [...found.notes, ...found.encoderNotes.map(({ text }) => text)],
    hits: found.hits.map((hit) => toHit(hit, analysis)),
    nearest: found.nearest.map(({ path, startLine }) => ({ path, startLine })),
    matched: found.matched,
    files: found.files,
    ms: found.ms,
    words: [...new Set([...found.words, ...analysis.names])],
  };
}

function toHit(hit: SearchAnswer['hits'][number], { hits }: Analysis): HitValue {
  const { rank, path, language, startLine, definition, lines, score, reasons } = hit;
  const explained = hits.find((each) => each.path === path);
  const name = definition === undefined ? null : definition.name;
  return {
    rank,
    path,
    language,
    startLine,
    symbol: definition?.container === undefined || name === null ? name : `${definition.container}.${name}`,
    kind: definition?.kind ?? null,
    lines,
    score,
    reasons: (explained?.features ?? []).map(({ meaning, points }) => ({ meaning, points })),
    // A file that the analysis did not list has at least what the search itself says of it.
    ...(explained === undefined
      ? { reasons: reasons.map(({ feature, points }) => ({ meaning: feature, points })) }
      : {}),
  };
}
