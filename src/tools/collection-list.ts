/** Tool `collection_list`: which collections there are. */
import * as z from 'zod';
import { fence } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { DATA_NOTE, NOTE } from './memory/memory-values.ts';

export const collectionList = defineTool({
  name: 'collection_list',
  toolset: 'guide',
  scope: 'memory:read',
  title: 'List guide collections',
  description: 'List the collections of guides.',
  project: 'required',
  input: z.strictObject({}),
  output: z.object({
    collections: z.array(
      z.object({ name: z.string(), description: z.string(), expressions: z.array(z.string()) }),
    ),
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const { engine, newWord } = call.services;
    const collections = await engine.listCollections({ root: projectOf(call).project.root });
    const lines = collections.map(({ name, description, expressions }) =>
      escapeControl(`${name}: ${expressions.join(', ')}${description === '' ? '' : ` (${description})`}`),
    );
    return {
      text:
        lines.length === 0
          ? 'No collection yet. collection_create makes one.'
          : fence({ label: 'collections', text: lines.join('\n'), newWord }),
      structured: {
        collections: collections.map(({ name, description, expressions }) => ({
          name: escapeControl(name),
          description: escapeControl(description),
          expressions: expressions.map(escapeControl),
        })),
        note: DATA_NOTE,
      },
    };
  },
});
