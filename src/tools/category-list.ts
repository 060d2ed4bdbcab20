/** Tool `category_list`: which guides there are. */
import * as z from 'zod';
import { escapeName } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';

export const categoryList = defineTool({
  name: 'category_list',
  toolset: 'guide',
  scope: 'memory:read',
  title: 'List guide categories',
  description: 'List the categories of guides: documents on how this project is worked on.',
  project: 'required',
  input: z.strictObject({}),
  output: z.object({ categories: z.array(z.object({ name: z.string(), documents: z.number() })) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const counts = new Map<string, number>();
    for (const { category } of await call.services.engine.listGuides({ root: projectOf(call).project.root }))
      counts.set(category, (counts.get(category) ?? 0) + 1);
    const categories = [...counts].map(([name, documents]) => ({ name: escapeName(name), documents }));
    const lines = categories.map(
      ({ name, documents }) => `${name}: ${documents === 1 ? '1 document' : `${documents} documents`}`,
    );
    return {
      text:
        lines.length === 0
          ? 'No guides. They are files like .waymark/guides/testing/unit-tests.md.'
          : lines.join('\n'),
      structured: { categories },
    };
  },
});
