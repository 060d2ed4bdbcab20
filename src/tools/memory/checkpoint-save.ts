/** Tool `checkpoint_save`: where the work stands, for the session that goes on with it. */
import * as z from 'zod';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { FILES, SAVE_KEY, SAVED, TAGS } from './memory-schemas.ts';
import { renderSaved } from '../render-memory.ts';
import { isPartial } from '../../memory/index.ts';

const PARTIAL = 'Of the uncommitted files only some are noted: to find all would have taken too long.';

export const checkpointSave = defineTool({
  name: 'checkpoint_save',
  toolset: 'memory',
  scope: 'memory:write',
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
  output: SAVED.extend({ uncommitted_partial: z.boolean() }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  example: { name: 'upload retries', content: 'Backoff done. Next: the red test in worker.test.ts.' },
  async run({ content, name, summary, tags, files, metadata, idempotency_key: key }, call) {
    const saved = await call.services.engine.saveEntry(
      {
        root: projectOf(call).project.root,
        author: authorOf(call, 'checkpoint_save'),
        draft: { kind: 'checkpoint', content, name, summary, tags, files, metadata },
        saveKey: key,
      },
      { signal: call.signal },
    );
    const { text, structured } = renderSaved('Checkpoint', saved);
    const partial = isPartial(saved.entry);
    return {
      text: partial ? `${text}\n${PARTIAL}` : text,
      structured: { ...structured, uncommitted_partial: partial },
    };
  },
});
