/** Tool `skill_save`: how something is done in this project. */
import * as z from 'zod';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { SAVED, TAGS } from './memory-schemas.ts';
import { renderSaved } from '../render-memory.ts';

export const skillSave = defineTool({
  name: 'skill_save',
  toolset: 'memory',
  scope: 'memory:write',
  title: 'Save a skill',
  description:
    'Save how something is done in this project: a procedure, a recipe, a convention. The same name makes a new version.',
  project: 'required',
  input: z.strictObject({
    name: z.string(),
    content: z.string().describe('Steps, as Markdown'),
    when_to_use: z.string().optional(),
    tags: TAGS,
  }),
  output: SAVED,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { name: 'cut-a-release', when_to_use: 'When a version goes out', content: '1. npm test …' },
  async run({ name, content, when_to_use: when, tags }, call) {
    const saved = await call.services.engine.saveEntry(
      {
        root: projectOf(call).project.root,
        author: authorOf(call, 'skill_save'),
        draft: { kind: 'skill', name, content, summary: when, fields: { when }, tags },
      },
      { signal: call.signal },
    );
    return renderSaved('Skill', saved);
  },
});
