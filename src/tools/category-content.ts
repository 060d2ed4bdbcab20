/** Tool `category_content`: the guides of one category. */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { GUIDE_VALUES, renderGuides, toGuideValues } from './render-guides.ts';
import { MOST_NAME_CHARS, textUpTo } from './schemas.ts';

export const categoryContent = defineTool({
  name: 'category_content',
  toolset: 'guide',
  scope: 'memory:read',
  title: 'Read a guide category',
  description: 'Read all guides of a category.',
  project: 'required',
  input: z.strictObject({ category: textUpTo(MOST_NAME_CHARS) }),
  output: GUIDE_VALUES,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { category: 'testing' },
  async run({ category }, call) {
    const all = await call.services.engine.listGuides({ root: projectOf(call).project.root });
    const documents = all.filter((document) => document.category === category);
    return { text: renderGuides(documents, call.services.newWord), structured: toGuideValues(documents) };
  },
});
