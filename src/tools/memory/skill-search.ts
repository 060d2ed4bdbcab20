/** Tool `skill_search`: how is this done here? */
import * as z from 'zod';
import { defineTool, projectOf } from '../define-tool.ts';
import { textsOf } from './entry-texts.ts';
import { limitOf } from './memory-schemas.ts';
import { DATA_NOTE, HIT, NEAREST, NOTE, toHit } from './memory-values.ts';
import { renderHits, shownText, toNearestValue } from '../render-memory.ts';

export const skillSearch = defineTool({
  name: 'skill_search',
  toolset: 'memory',
  scope: 'memory:read',
  unlisted: true,
  title: 'Search skills',
  description:
    'Find how something is done in this project: how to build, test, release or add something, by which conventions.',
  project: 'required',
  input: z.strictObject({ query: z.string(), limit: limitOf(3) }),
  output: z.object({
    hits: z.array(HIT.extend({ when_to_use: z.string().nullable(), content: z.string().nullable() })),
    nearest: NEAREST,
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'how do we release' },
  async run({ query, limit }, call) {
    const { engine, newWord } = call.services;
    const found = await engine.recall({
      root: projectOf(call).project.root,
      query: { text: query, kinds: ['skill'], limit },
    });
    const { text, shown } = renderHits({
      newWord,
      found,
      textsOf,
      nothing: 'Nothing here is about that: no skill is near enough.',
    });
    return {
      text,
      structured: {
        hits: shown.map((rendered) => ({
          ...toHit(rendered),
          when_to_use: shownText(rendered.body, 'when'),
          content: shownText(rendered.body, ''),
        })),
        nearest: toNearestValue(found),
        note: DATA_NOTE,
      },
    };
  },
});
