/** Tool `remediation_search`: has this error been fixed before? */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { HIT, limitOf, toHit } from './memory-schemas.ts';
import { renderHits } from './render-memory.ts';

const SCOPES = ['project', 'all'] as const;

export const remediationSearch = defineTool({
  name: 'remediation_search',
  toolset: 'memory',
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
  output: z.object({ hits: z.array(HIT.extend({ confidence: z.number() })) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { error: 'EADDRINUSE: address already in use :::3000' },
  async run({ error, stack, scope, limit }, call) {
    const { memory } = call.services;
    const hits = await memory.recall(projectOf(call).project.root, {
      text: error,
      stack,
      kinds: ['remediation'],
      limit,
      scope,
    });
    const [first] = hits;
    return {
      text:
        first === undefined
          ? `No fix is known for that.${scope === 'all' ? '' : ' scope="all" looks into your other projects.'}`
          : `${renderHits(memory, hits, renderFix)}\nnext: remediation_feedback with id=${JSON.stringify(first.entry.id)} once you know whether it helped`,
      structured: {
        hits: hits.map((hit) => ({
          ...toHit(hit),
          confidence: Math.round(hit.entry.confidence * 100) / 100,
        })),
      },
    };
  },
});

function renderFix({
  content,
  confidence,
  fields,
}: {
  content: string;
  confidence: number;
  fields: Readonly<Record<string, string>>;
}): string {
  const { error = '', cause } = fields;
  return [
    error.slice(0, 300),
    ...(cause === undefined ? [] : [`root cause: ${cause}`]),
    `fix (confidence ${confidence.toFixed(2)}): ${content}`,
  ].join('\n');
}
