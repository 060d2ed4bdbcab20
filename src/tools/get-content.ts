/** Tool `get_content`: guides by pattern or by collection. */
import * as z from 'zod';
import { noCollection } from '../memory/index.ts';
import { BadArguments, defineTool, projectOf } from './define-tool.ts';
import { GUIDE_VALUES, renderGuides, toGuideValues } from './render-guides.ts';
import { MOST_NAME_CHARS, MOST_NAMES, textUpTo } from './schemas.ts';

const EXAMPLE = { expressions: ['testing/*'] };

export const getContent = defineTool({
  name: 'get_content',
  toolset: 'guide',
  scope: 'memory:read',
  title: 'Read guides',
  description: 'Read guides by patterns over category/name, or those of a collection.',
  project: 'required',
  input: z.strictObject({
    expressions: z.array(textUpTo(MOST_NAME_CHARS)).max(MOST_NAMES).optional(),
    collection: textUpTo(MOST_NAME_CHARS).optional(),
  }),
  output: GUIDE_VALUES,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: EXAMPLE,
  async run({ expressions = [], collection }, call) {
    const { engine, newWord } = call.services;
    const { root } = projectOf(call).project;
    if (expressions.length === 0 && collection === undefined)
      throw new BadArguments('get_content', ['pass `expressions` or `collection`'], EXAMPLE);
    const named =
      collection === undefined
        ? undefined
        : (await engine.listCollections({ root })).find(({ name }) => name === collection);
    if (collection !== undefined && named === undefined) throw noCollection(collection);
    const documents = await engine.listGuides({
      root,
      expressions: [...expressions, ...(named?.expressions ?? [])],
    });
    return { text: renderGuides(documents, newWord), structured: toGuideValues(documents) };
  },
});
