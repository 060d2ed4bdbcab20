/** Tool `recall`: everything that was learned, by one question. */
import * as z from 'zod';
import { ENTRY_KINDS, isOwner, type EntryKind } from '../../core/index.ts';
import { countOf, escapeControlKeepingLines } from '../../text/index.ts';
import { defineTool, projectOf } from '../define-tool.ts';
import { textsOf } from './entry-texts.ts';
import { limitOf } from './memory-schemas.ts';
import { DATA_NOTE, HIT, NEAREST, NOTE, toHit } from './memory-values.ts';
import { renderHits, toNearestValue, type RenderedHit } from '../render-memory.ts';

/** A collection is a list of patterns: nothing to learn from. */
const KINDS = ENTRY_KINDS.filter((kind): kind is Exclude<EntryKind, 'collection'> => kind !== 'collection');
/** Of stored text in one answer. */
const MOST_TOKENS = 2_500;

export const recall = defineTool({
  name: 'recall',
  toolset: 'memory',
  scope: 'memory:read',
  title: 'Recall what was learned',
  description:
    'Recall what earlier sessions learned, before you start: what did we learn or decide, known fixes of an error message or ' +
    'stack trace, how to build, test or release here, conventions, preferences. Any words, or the error as printed.',
  alwaysLoad: true,
  project: 'required',
  input: z.strictObject({
    query: z.string(),
    kinds: z.array(z.enum(KINDS)).optional(),
    all_projects: z.boolean().optional(),
    limit: limitOf(5),
  }),
  output: z.object({
    hits: z.array(
      HIT.extend({ kind: z.string(), of_person: z.boolean(), texts: z.record(z.string(), z.string()) }),
    ),
    nearest: NEAREST,
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'retry of failed uploads' },
  async run({ query, kinds = [], all_projects: all = false, limit }, call) {
    const { engine, newWord } = call.services;
    const found = await engine.recall({
      root: projectOf(call).project.root,
      query: {
        text: query,
        kinds: kinds.length === 0 ? KINDS : kinds,
        limit,
        scope: all ? 'all' : 'project',
        isPerson: isOwner(call.principal),
      },
    });
    const { text, shown } = renderHits({
      newWord,
      found,
      textsOf,
      noteOf: ({ kind, tokens, confidence }) =>
        kind === 'checkpoint'
          ? `, ${countOf(tokens, 'token')} in all`
          : kind === 'remediation'
            ? `, confidence ${confidence.toFixed(2)}`
            : '',
      nothing: `Nothing that was learned is about that.${all ? '' : ' all_projects=true looks into your other projects.'}`,
      mostTokens: MOST_TOKENS,
    });
    return {
      text: [text, ...nextOf(shown)].join('\n'),
      structured: {
        hits: shown.map((rendered) => ({
          ...toHit(rendered),
          kind: rendered.hit.entry.kind,
          of_person: rendered.hit.ofPerson === true,
          texts: Object.fromEntries(
            rendered.body.texts.map(([label, body]) => [label || 'text', escapeControlKeepingLines(body)]),
          ),
        })),
        nearest: toNearestValue(found),
        note: DATA_NOTE,
      },
    };
  },
});

/** One line at most: what goes on from the best hit that can be gone on from. */
function nextOf(shown: readonly RenderedHit[]): readonly string[] {
  for (const { hit } of shown) {
    const { id, kind } = hit.entry;
    if (hit.elsewhere !== undefined) continue;
    if (kind === 'checkpoint') return [`next: checkpoint_resume with id="${id}" shows all of it`];
    if (kind === 'remediation')
      return [`next: remediation_feedback with id="${id}" once you know whether it helped`];
  }
  return [];
}
