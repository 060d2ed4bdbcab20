/** Tool `outline`: what a file, a folder or the project defines. */
import * as z from 'zod';
import { renderOutline } from '../../structure/index.ts';
import { defineTool } from '../define-tool.ts';
import { FRESHNESS_VALUE, toFreshnessValue } from '../freshness.ts';
import { MOST_NAME_CHARS, namesUpTo, textUpTo } from '../schemas.ts';
import { BUDGET, fromIndex, toUnseenValue, UNSEEN_VALUE, withFreshness } from './structure-call.ts';

export const outline = defineTool({
  name: 'outline',
  toolset: 'structure',
  scope: 'search',
  title: 'Outline',
  description: 'What a file defines, or a map of a folder or the project, the most used first.',
  project: 'required',
  input: z.strictObject({
    path: textUpTo(MOST_NAME_CHARS).optional(),
    focus: namesUpTo(20, MOST_NAME_CHARS).optional().describe('Parts of paths'),
    budget: BUDGET,
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        users: z.number().optional(),
        definitions: z.array(
          z.object({
            name: z.string(),
            kind: z.string(),
            line: z.number(),
            container: z.string().optional(),
            signature: z.string().optional(),
            users: z.number().optional(),
          }),
        ),
      }),
    ),
    unseen: UNSEEN_VALUE,
    index: FRESHNESS_VALUE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { path: 'src/session.ts' },
  run: ({ path, focus, budget }, call) =>
    fromIndex(call, async (project, freshness) => {
      const answer = await call.services.engine.outline({ ...project, path, focus }, { signal: call.signal });
      return {
        text: withFreshness(freshness, renderOutline(answer, { budget })),
        structured: {
          files: answer.files.map((file) => ({
            path: file.path,
            ...(file.users === undefined ? {} : { users: file.users }),
            definitions: file.definitions.map(({ name, kind, line, container, signature, users }) => ({
              name,
              kind,
              line,
              ...(container === undefined ? {} : { container }),
              ...(signature === '' ? {} : { signature }),
              ...(users === undefined ? {} : { users }),
            })),
          })),
          unseen: toUnseenValue(answer.unseen),
          index: toFreshnessValue(freshness),
        },
      };
    }),
});
