/** Tool `fact_save`: a short statement that holds, of the project or of the person. */
import * as z from 'zod';
import { AppError, isOwner } from '../../core/index.ts';
import { fence, FACT_SCOPES } from '../../memory/index.ts';
import { escapeControlKeepingLines } from '../../text/index.ts';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { SAVED, TAGS } from './memory-schemas.ts';
import { NEAREST } from './memory-values.ts';
import { renderSaved, toNearestValue } from '../render-memory.ts';

export const factSave = defineTool({
  name: 'fact_save',
  toolset: 'memory',
  scope: 'memory:write',
  title: 'Save a fact',
  description:
    'Save a fact or preference in one sentence: a convention, a decision, what the user likes. It replaces an older one of ' +
    'the same subject.',
  project: 'required',
  input: z.strictObject({
    fact: z.string(),
    subject: z.string().optional().describe('Few words, such as "package manager"'),
    scope: z.enum(FACT_SCOPES).default('project').describe('person: in every project'),
    tags: TAGS,
  }),
  output: SAVED.extend({ before: z.string().nullable(), near: NEAREST }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { fact: 'Packages are installed with pnpm.', subject: 'package manager' },
  async run({ fact: text, subject, scope, tags }, call) {
    if (scope === 'person' && !isOwner(call.principal))
      throw new AppError('bad_argument', 'A server that several people use keeps no facts of a person.', {
        hint: 'Save it for the project: fact_save with scope="project".',
      });
    const { engine, newWord } = call.services;
    const saved = await engine.saveFact(
      {
        root: projectOf(call).project.root,
        author: authorOf(call, 'fact_save'),
        fact: { text, subject, scope, tags },
      },
      { signal: call.signal },
    );
    const { text: told, structured } = renderSaved('Fact', saved);
    const { id } = saved.entry;
    const near = toNearestValue({ hits: [], nearest: saved.near });
    const lines = [
      told,
      ...(saved.before === undefined
        ? []
        : [
            fence({ label: 'it took the place of', text: saved.before, newWord }),
            `If both hold: memory_change with id="${id}", action="undo", then fact_save with another subject.`,
          ]),
      ...(saved.near.length === 0
        ? []
        : [
            fence({
              label: 'facts that are near to it',
              text: saved.near.map((other) => `${other.id}  ${other.content}`).join('\n'),
              newWord,
            }),
            'If one of them no longer holds: memory_change with its id, action="forget".',
          ]),
    ];
    return {
      text: lines.join('\n'),
      structured: {
        ...structured,
        before: saved.before === undefined ? null : escapeControlKeepingLines(saved.before),
        near,
      },
    };
  },
});
