/** Tool `remediation_feedback`: did a fix help? */
import * as z from 'zod';
import { authorOf, defineTool, projectOf } from '../define-tool.ts';
import { MOST_NAME_CHARS, textUpTo } from '../schemas.ts';

export const remediationFeedback = defineTool({
  name: 'remediation_feedback',
  toolset: 'memory',
  scope: 'memory:write',
  title: 'Rate a fix',
  description: 'Say whether a fix that recall found helped; it moves how far it is trusted.',
  project: 'required',
  input: z.strictObject({ id: textUpTo(MOST_NAME_CHARS), helped: z.boolean() }),
  output: z.object({ id: z.string(), confidence: z.number() }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  example: { id: 'fix-0123456789ab', helped: true },
  async run({ id, helped }, call) {
    const entry = await call.services.engine.rateFix({
      root: projectOf(call).project.root,
      author: authorOf(call, 'remediation_feedback'),
      id,
      helped,
    });
    const confidence = Math.round(entry.confidence * 100) / 100;
    return {
      text: `${entry.id} has confidence ${confidence} now.`,
      structured: { id: entry.id, confidence },
    };
  },
});
