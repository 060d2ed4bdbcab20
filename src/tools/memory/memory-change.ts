/** Tool `memory_change`: revises or forgets what was learned, or takes that back. */
import * as z from 'zod';
import { AppError } from '../../core/index.ts';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { TAGS } from './memory-schemas.ts';
import { MOST_NAME_CHARS, textUpTo } from '../schemas.ts';

const ACTIONS = ['revise', 'forget', 'undo'] as const;

export const memoryChange = defineTool({
  name: 'memory_change',
  toolset: 'memory',
  scope: 'memory:write',
  title: 'Revise or forget',
  description:
    'Correct or forget an entry of the memory that no longer holds. Old versions are kept; undo takes the last change back.',
  project: 'required',
  input: z.strictObject({
    id: textUpTo(MOST_NAME_CHARS),
    action: z.enum(ACTIONS),
    content: z.string().optional(),
    name: z.string().optional(),
    tags: TAGS,
  }),
  output: z.object({ id: z.string(), version: z.number() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  example: { id: 'fact-0123456789ab', action: 'forget' },
  async run({ id, action, content, name, tags }, call) {
    const given = [content, name, tags].filter((value) => value !== undefined).length;
    if (action === 'revise' && given === 0)
      throw new AppError('bad_argument', 'There is nothing to revise it to.', {
        hint: `Call memory_change with id=${JSON.stringify(id)}, action="revise" and the new content.`,
      });
    if (action !== 'revise' && given > 0)
      throw new AppError(
        'bad_argument',
        `content, name and tags belong to action="revise", not to "${action}".`,
        {
          hint: `Call memory_change with id and action="${action}" alone.`,
        },
      );
    const entry = await call.services.engine.changeEntry({
      root: projectOf(call).project.root,
      author: authorOf(call, 'memory_change'),
      id,
      change: action === 'revise' ? { action, edit: { content, name, tags } } : { action },
    });
    return {
      text: {
        revise: `${entry.id} is at version ${entry.version} now, on disk; the old one is kept.`,
        forget: `${entry.id}, version ${entry.version}, is in the bin for 30 days. memory_change with action="undo" takes it back.`,
        undo: `${entry.id} is back as it was before, at version ${entry.version}.`,
      }[action],
      structured: { id: entry.id, version: entry.version },
    };
  },
});
