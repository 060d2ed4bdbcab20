/** Tool `index_codebase`: bring the index up to date now. */
import * as z from 'zod';
import { WAIT_LIMITS } from '../indexing/index.ts';
import { countOf } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { renderProgress, tellProgress } from './freshness.ts';
import { renderFailure } from './failures.ts';

const count = z.number().int().optional();

export const indexCodebase = defineTool({
  name: 'index_codebase',
  aliases: ['index_repository'],
  toolset: 'search',
  scope: 'search',
  title: 'Index codebase',
  description:
    'Index the project for search_code, or bring its index up to date; only what changed is read. Searching does this by ' +
    'itself, so call it only when asked to or after large changes. Long runs return an operation_id for project_status.',
  project: 'required',
  input: z.strictObject({
    background: z.boolean().optional().describe('Return at once with an operation_id'),
  }),
  output: z.object({
    success: z.literal(true),
    state: z.enum(['done', 'running', 'elsewhere']),
    indexed: count,
    renamed: count,
    removed: count,
    unchanged: count,
    skipped: count,
    ms: count,
    files: count,
    operation_id: z.string().optional(),
    percent: count,
    eta_ms: count,
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run({ background }, call) {
    const { root } = projectOf(call).project;
    const run = await call.services.engine.index(
      { root, waitMs: background === true ? 0 : WAIT_LIMITS.askedMs },
      { signal: call.signal, onProgress: tellProgress(call) },
    );
    switch (run.state) {
      case 'done': {
        const { files = 0 } = run;
        const { indexed, renamed, removed, unchanged, skipped, ms } = run.counts;
        return {
          text:
            `index: fresh, ${countOf(files, 'file')}\n` +
            `${indexed} indexed, ${renamed} renamed, ${removed} removed, ${unchanged} unchanged, ${skipped} left out in ${ms} ms`,
          structured: { success: true as const, state: 'done' as const, files, ...run.counts },
        };
      }
      case 'running': {
        const { id, percent, etaMs } = run;
        return {
          text:
            `index: updating (${renderProgress(percent, etaMs)})\n` +
            `next: Call project_status with ${JSON.stringify({ operation_id: id })} to follow it; searching works meanwhile.`,
          structured: {
            success: true as const,
            state: 'running' as const,
            operation_id: id,
            ...(percent === undefined ? {} : { percent }),
            ...(etaMs === undefined ? {} : { eta_ms: etaMs }),
          },
        };
      }
      case 'elsewhere':
        return {
          text: 'index: updating in another process; the index it makes is this one too.',
          structured: { success: true as const, state: 'elsewhere' as const },
        };
      case 'stopped':
        return renderFailure({
          errorType: 'interrupted',
          message: 'Indexing was stopped before its end; what was indexed is kept.',
          instruction: `Call index_codebase with ${JSON.stringify({ project: root })} to go on.`,
        });
      case 'failed': {
        const { code, message, hint } = run.failure;
        return renderFailure({
          errorType: code,
          message,
          instruction: `${hint === undefined ? '' : `${hint} `}Then call index_codebase with ${JSON.stringify({ project: root })}`,
        });
      }
    }
  },
});
