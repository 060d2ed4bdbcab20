/** Tool `checkpoint_search`: earlier work by what it was about. */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { HIT, limitOf, toHit } from './memory-schemas.ts';
import { renderHits } from './render-memory.ts';

export const checkpointSearch = defineTool({
  name: 'checkpoint_search',
  toolset: 'memory',
  title: 'Search checkpoints',
  description:
    'Find earlier work, notes and decisions by topic, in any words: what did we decide, what did we learn, why was it done so.',
  project: 'required',
  input: z.strictObject({ query: z.string(), limit: limitOf(5) }),
  output: z.object({ hits: z.array(HIT) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'retry of failed uploads' },
  async run({ query, limit }, call) {
    const { memory } = call.services;
    const hits = await memory.recall(projectOf(call).project.root, {
      text: query,
      kinds: ['checkpoint'],
      limit,
    });
    const [first] = hits;
    return {
      text:
        first === undefined
          ? 'No checkpoint is about that.\nnext: checkpoint_list shows all of them'
          : `${renderHits(memory, hits, ({ summary }) => summary)}\nnext: checkpoint_resume with id=${JSON.stringify(first.entry.id)}`,
      structured: { hits: hits.map(toHit) },
    };
  },
});
