/** Tool `collection_list`: which collections there are. */
import * as z from 'zod';
import { fence, listCollections } from '../memory/index.ts';
import { defineTool, projectOf } from './define-tool.ts';

export const collectionList = defineTool({
  name: 'collection_list',
  toolset: 'guide',
  title: 'List guide collections',
  description: 'List the collections of guides.',
  project: 'required',
  input: z.strictObject({}),
  output: z.object({
    collections: z.array(z.object({ name: z.string(), expressions: z.array(z.string()) })),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const { memory } = call.services;
    const collections = await listCollections(memory, projectOf(call).project.root);
    const lines = collections.map(
      ({ name, description, expressions }) => `${name}: ${expressions.join(', ')} (${description})`,
    );
    return {
      text:
        lines.length === 0
          ? 'No collection yet. collection_create makes one.'
          : fence({ label: 'collections', text: lines.join('\n'), newWord: memory.newId }),
      structured: {
        collections: collections.map(({ name, expressions }) => ({ name, expressions: [...expressions] })),
      },
    };
  },
});
