/** Tool `remediation_search`: has this error been fixed before? */
import * as z from 'zod';
import { defineTool, projectOf } from '../define-tool.ts';
import { textsOf } from './entry-texts.ts';
import { limitOf } from './memory-schemas.ts';
import { DATA_NOTE, HIT, NEAREST, NOTE, toHit } from './memory-values.ts';
import { renderHits, shownText, toNearestValue } from '../render-memory.ts';

const SCOPES = ['project', 'all'] as const;

export const remediationSearch = defineTool({
  name: 'remediation_search',
  toolset: 'memory',
  scope: 'memory:read',
  unlisted: true,
  title: 'Search fixes',
  description:
    'Look for a known fix of an error message, a stack trace or a failing test before you debug: have we seen this before? Paths, numbers and names in the error may differ.',
  project: 'required',
  input: z.strictObject({
    error: z.string().describe('Message, or the problem in words'),
    stack: z.string().optional(),
    scope: z.enum(SCOPES).default('project').describe('all: every project of this user'),
    limit: limitOf(3),
  }),
  output: z.object({
    hits: z.array(
      HIT.extend({
        error: z.string().nullable(),
        root_cause: z.string().nullable(),
        context: z.string().nullable(),
        solution: z.string().nullable(),
        confidence: z.number(),
      }),
    ),
    nearest: NEAREST,
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { error: 'EADDRINUSE: address already in use :::3000' },
  async run({ error, stack, scope, limit }, call) {
    const { engine, newWord } = call.services;
    const found = await engine.recall({
      root: projectOf(call).project.root,
      query: {
        text: error,
        stack,
        kinds: ['remediation'],
        limit,
        scope,
      },
    });
    const elsewhere = scope === 'all' ? '' : ' scope="all" looks into your other projects.';
    const { text, shown } = renderHits({
      newWord,
      found,
      textsOf,
      noteOf: ({ confidence }) => `, confidence ${confidence.toFixed(2)}`,
      nothing: `Nothing here is about that: no fix is near enough.${elsewhere}`,
    });
    const [first] = shown;
    const next =
      first === undefined
        ? ''
        : `\nnext: remediation_feedback with id=${JSON.stringify(first.hit.entry.id)} once you know whether it helped`;
    return {
      text: `${text}${next}`,
      structured: {
        hits: shown.map((rendered) => ({
          ...toHit(rendered),
          error: shownText(rendered.body, 'error'),
          root_cause: shownText(rendered.body, 'root cause'),
          context: shownText(rendered.body, 'context'),
          solution: shownText(rendered.body, 'fix'),
          confidence: Math.round(rendered.hit.entry.confidence * 100) / 100,
        })),
        nearest: toNearestValue(found),
        note: DATA_NOTE,
      },
    };
  },
});
