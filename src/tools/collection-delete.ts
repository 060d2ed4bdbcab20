/** Tool `collection_delete`: the name goes, the guides stay. */
import * as z from 'zod';
import { escapeControl } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { MOST_NAME_CHARS, textUpTo } from './schemas.ts';

export const collectionDelete = defineTool({
  name: 'collection_delete',
  toolset: 'guide',
  scope: 'memory:write',
  title: 'Delete a guide collection',
  description:
    'Delete a collection; its guides stay. It can be taken back for 30 days with `waymark memory undo`.',
  project: 'required',
  input: z.strictObject({ name: textUpTo(MOST_NAME_CHARS) }),
  output: z.object({ name: z.string() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  example: { name: 'before a release' },
  async run({ name }, call) {
    await call.services.engine.deleteCollection({
      root: projectOf(call).project.root,
      name,
      by: `agent: ${call.clientName()}`,
    });
    const shown = escapeControl(name);
    return {
      text: `The collection ${JSON.stringify(shown)} is in the bin.`,
      structured: { name: shown },
    };
  },
});
