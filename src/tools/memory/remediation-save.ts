/** Tool `remediation_save`: an error and what fixed it. */
import * as z from 'zod';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { FILES, SAVE_KEY, SAVED, TAGS } from './memory-schemas.ts';
import { renderSaved } from '../render-memory.ts';

export const remediationSave = defineTool({
  name: 'remediation_save',
  toolset: 'memory',
  scope: 'memory:write',
  title: 'Save a fix',
  description:
    'Save what fixed an error or a bug, once it is verified, so that the solution is found when the error comes back.',
  project: 'required',
  input: z.strictObject({
    error: z.string().describe('The message as it was printed'),
    solution: z.string(),
    root_cause: z.string().optional(),
    stack: z.string().optional(),
    context: z.string().optional(),
    files: FILES,
    tags: TAGS,
    idempotency_key: SAVE_KEY,
  }),
  output: SAVED,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  example: { error: 'EADDRINUSE: address already in use :::3000', solution: 'Stop the old dev server.' },
  async run({ error, solution, root_cause: cause, stack, context, files, tags, idempotency_key: key }, call) {
    const saved = await call.services.engine.saveEntry(
      {
        root: projectOf(call).project.root,
        author: authorOf(call, 'remediation_save'),
        draft: {
          kind: 'remediation',
          content: solution,
          fields: { error, cause, stack, context },
          files,
          tags,
        },
        saveKey: key,
      },
      { signal: call.signal },
    );
    return renderSaved('Fix', saved);
  },
});
