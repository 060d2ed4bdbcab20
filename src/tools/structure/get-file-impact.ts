/** Tool `get_file_impact`: what a change may reach, and which tests to run. */
import * as z from 'zod';
import { IMPACT, renderFiles } from '../../structure/index.ts';
import { defineTool } from '../define-tool.ts';
import { FILES_VALUE, toFilesValue } from './file-values.ts';
import { MOST_NAME_CHARS, namesUpTo, textUpTo } from '../schemas.ts';
import { BUDGET, DEPTH, fromIndex, withFreshness } from './structure-call.ts';

export const getFileImpact = defineTool({
  name: 'get_file_impact',
  toolset: 'structure',
  scope: 'search',
  title: 'Impact of a change',
  description: 'What may break when files change: dependent files, nearest first, and the tests to run.',
  project: 'required',
  input: z.strictObject({
    files: namesUpTo(100, MOST_NAME_CHARS).optional(),
    changed: z.boolean().optional().describe('Uncommitted ones'),
    branch: textUpTo(MOST_NAME_CHARS).optional().describe('What differs from it'),
    depth: DEPTH,
    budget: BUDGET,
  }),
  output: FILES_VALUE,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { files: ['src/session.ts'] },
  run: ({ files, changed, branch, depth, budget }, call) =>
    fromIndex(call, async (project, freshness) => {
      const answer = await call.services.engine.fileImpact(
        { ...project, files, changed, branch, depth },
        { signal: call.signal },
      );
      return {
        text: withFreshness(freshness, renderFiles(answer, { budget, what: IMPACT })),
        structured: toFilesValue(answer, freshness),
      };
    }),
});
