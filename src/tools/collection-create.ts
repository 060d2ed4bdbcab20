/** Tool `collection_create`: a name for guides that are read together. */
import * as z from 'zod';
import { escapeControl } from '../text/index.ts';
import { authorOf, defineTool, projectOf } from './define-tool.ts';
import { MOST_NAME_CHARS, MOST_NAMES, textUpTo } from './schemas.ts';

export const collectionCreate = defineTool({
  name: 'collection_create',
  toolset: 'guide',
  scope: 'memory:write',
  title: 'Create a guide collection',
  description:
    'Name a set of guides by patterns over category/name, such as testing/*. The same name replaces it.',
  project: 'required',
  input: z.strictObject({
    name: z.string(),
    expressions: z.array(textUpTo(MOST_NAME_CHARS)).min(1).max(MOST_NAMES),
    description: z.string().optional(),
  }),
  output: z.object({ name: z.string(), version: z.number() }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { name: 'before a release', expressions: ['testing/*', 'release/checklist'] },
  async run({ name, expressions, description = '' }, call) {
    const version = await call.services.engine.saveCollection({
      root: projectOf(call).project.root,
      author: authorOf(call, 'collection_create'),
      collection: { name, expressions, description },
    });
    const shown = escapeControl(name);
    return {
      text: `Collection ${JSON.stringify(shown)} saved, version ${version}.`,
      structured: { name: shown, version },
    };
  },
});
