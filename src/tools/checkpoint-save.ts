/** Tool `checkpoint_save`: where the work stands, for whoever goes on with it. */
import * as z from 'zod';
import { defineTool, projectOf } from './define-tool.ts';
import { authorOf, FILES, SAVE_KEY, SAVED, TAGS } from './memory-schemas.ts';
import { renderSaved } from './render-memory.ts';

export const checkpointSave = defineTool({
  name: 'checkpoint_save',
  toolset: 'memory',
  title: 'Save a checkpoint',
  description:
    'Save progress as notes for the next session: where the work stands (done, decided, next). Use it before you stop and ' +
    'before context is lost or compacted. Branch, commit and files are noted.',
  project: 'required',
  input: z.strictObject({
    content: z.string(),
    name: z.string().optional(),
    summary: z.string().optional().describe('One or two sentences'),
    tags: TAGS,
    files: FILES,
    metadata: z.record(z.string(), z.unknown()).optional(),
    idempotency_key: SAVE_KEY,
  }),
  output: SAVED,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  example: { name: 'upload retries', content: 'Backoff done. Next: the red test in worker.test.ts.' },
  async run({ content, name, summary, tags, files, metadata, idempotency_key: key }, call) {
    const saved = await call.services.engine.saveEntry({
      root: projectOf(call).project.root,
      author: authorOf(call, 'checkpoint_save'),
      draft: { kind: 'checkpoint', content, name, summary, tags, files, metadata },
      saveKey: key,
    });
    return renderSaved('Checkpoint', saved);
  },
});
