/** Tool `clear_index`: forget what was indexed. */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';

export const clearIndex = defineTool({
  name: 'clear_index',
  toolset: 'search',
  scope: 'admin',
  title: 'Clear index',
  description:
    "Delete the project's index, which is derived data: no source file and no memory is touched, and index_codebase makes " +
    'it again. Use it when the index seems broken or is no longer wanted.',
  project: 'required',
  input: z.strictObject({}),
  output: z.object({ success: z.literal(true), cleared: z.boolean() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const cleared = await call.services.engine.clearIndex({ root: projectOf(call).project.root });
    return {
      text: cleared
        ? 'index: cleared. No source file and no memory was touched.'
        : 'index: none, nothing to clear.',
      structured: { success: true as const, cleared },
    };
  },
});
