/** Tool `skill_search`: how is this done here? */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { HIT, limitOf, toHit } from './memory-schemas.ts';
import { renderHits } from './render-memory.ts';

export const skillSearch = defineTool({
  name: 'skill_search',
  toolset: 'memory',
  title: 'Search skills',
  description:
    'Find how something is done in this project: how to build, test, release or add something, by which conventions.',
  project: 'required',
  input: z.strictObject({ query: z.string(), limit: limitOf(3) }),
  output: z.object({ hits: z.array(HIT) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { query: 'how do we release' },
  async run({ query, limit }, call) {
    const { memory } = call.services;
    const hits = await memory.recall(projectOf(call).project.root, { text: query, kinds: ['skill'], limit });
    return {
      text: hits.length === 0 ? 'No skill is about that.' : renderHits(memory, hits, renderSkill),
      structured: { hits: hits.map(toHit) },
    };
  },
});

function renderSkill({
  content,
  fields,
}: {
  content: string;
  fields: Readonly<Record<string, string>>;
}): string {
  const { when } = fields;
  return [...(when === undefined ? [] : [`when: ${when}`]), content].join('\n');
}
