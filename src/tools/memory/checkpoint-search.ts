/** Tool `checkpoint_search`: earlier work by what it was about. */
import * as z from 'zod';
import { countOf } from '../../text/index.ts';
import { defineTool, projectOf } from '../define-tool.ts';
import { textsOf } from './entry-texts.ts';
import { limitOf } from './memory-schemas.ts';
import { DATA_NOTE, HIT, NEAREST, NOTE, toHit } from './memory-values.ts';
import { renderHits, shownText, toNearestValue } from '../render-memory.ts';

export const checkpointSearch = defineTool({
  name: 'checkpoint_search',
  toolset: 'memory',
  scope: 'memory:read',
  unlisted: true,
  title: 'Search checkpoints',
  description:
    'Find earlier work, notes and decisions by topic, in any words: what did we decide, what did we learn, why was it done so.',
  project: 'required',
  input: z.strictObject({ query: z.string(), limit: limitOf(5) }),
  output: z.object({
    hits: z.array(HIT.extend({ summary: z.string().nullable(), tokens: z.number() })),
    nearest: NEAREST,
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'retry of failed uploads' },
  async run({ query, limit }, call) {
    const { engine, newWord } = call.services;
    const found = await engine.recall({
      root: projectOf(call).project.root,
      query: {
        text: query,
        kinds: ['checkpoint'],
        limit,
      },
    });
    const { text, shown } = renderHits({
      newWord,
      found,
      textsOf,
      noteOf: ({ tokens }) => `, ${countOf(tokens, 'token')} in all`,
      nothing: 'Nothing here is about that.',
    });
    const [first] = shown;
    const next =
      first === undefined
        ? 'recall looks into fixes, skills, facts and guides too'
        : `checkpoint_resume with id=${JSON.stringify(first.hit.entry.id)}, or another of these ids, shows all of it`;
    return {
      text: `${text}\nnext: ${next}`,
      structured: {
        hits: shown.map((rendered) => ({
          ...toHit(rendered),
          summary: shownText(rendered.body, ''),
          tokens: rendered.hit.entry.tokens,
        })),
        nearest: toNearestValue(found),
        note: DATA_NOTE,
      },
    };
  },
});
