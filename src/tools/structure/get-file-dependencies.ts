/** Tool `get_file_dependencies`: what a file imports, or what imports it. */
import * as z from 'zod';
import { renderFiles } from '../../structure/index.ts';
import { defineTool } from '../define-tool.ts';
import { FILES_VALUE, toFilesValue } from './file-values.ts';
import { MOST_NAME_CHARS, textUpTo } from '../schemas.ts';
import { BUDGET, DEPTH, fromIndex, withFreshness } from './structure-call.ts';

export const getFileDependencies = defineTool({
  name: 'get_file_dependencies',
  toolset: 'structure',
  scope: 'search',
  title: 'File dependencies',
  description: 'The files that a file imports; direction "in": those that import it.',
  project: 'required',
  input: z.strictObject({
    file: textUpTo(MOST_NAME_CHARS),
    direction: z.enum(['in', 'out']).optional(),
    depth: DEPTH,
    budget: BUDGET,
  }),
  output: FILES_VALUE,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { file: 'src/session.ts', direction: 'in' },
  run: ({ file, direction, depth, budget }, call) =>
    fromIndex(call, async (project, freshness) => {
      const answer = await call.services.engine.fileDependencies(
        { ...project, file, direction, depth },
        { signal: call.signal },
      );
      const what = direction === 'in' ? 'import it' : 'imported';
      return {
        text: withFreshness(freshness, renderFiles(answer, { budget, what })),
        structured: toFilesValue(answer, freshness),
      };
    }),
});
