/** Tool `index_codebase`: bring the index up to date now. */
import * as z from 'zod';
import { PATIENCE, waitFor, type Job, type JobEnd } from '../indexing/index.ts';
import { defineTool, projectOf, type FailedAnswer, type ToolAnswer } from './define-tool.ts';
import { tellProgress } from './ensure-indexed.ts';
import { renderFailure } from './failures.ts';
import { renderProgress } from './render-progress.ts';

const count = z.number().int().optional();

export const indexCodebase = defineTool({
  name: 'index_codebase',
  aliases: ['index_repository'],
  toolset: 'search',
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
    const { indexing } = call.services;
    const { root } = projectOf(call).project;
    const job = indexing.start(root);
    const letGo = job.hold();
    try {
      const maxMs = background === true ? 0 : PATIENCE.askedMs;
      const end = await waitFor(job, { signal: call.signal, maxMs, onProgress: tellProgress(call) });
      if (end?.kind !== 'done') return end === undefined ? goesOn(job) : endedOtherwise(end, root);
      const { kind: _done, ...counts } = end;
      const { files } = await indexing.stats(root);
      const { indexed, renamed, removed, unchanged, skipped, ms } = counts;
      return {
        text:
          `index: fresh, ${files} files\n` +
          `${indexed} indexed, ${renamed} renamed, ${removed} removed, ${unchanged} unchanged, ${skipped} left out in ${ms} ms`,
        structured: { success: true as const, state: 'done' as const, files, ...counts },
      };
    } catch (thrown) {
      // Cancelled: whoever else waits for the job keeps it going.
      letGo();
      throw thrown;
    }
  },
});

function goesOn(job: Job): ToolAnswer & { structured: Running } {
  const progress = job.progress();
  const { percent, etaMs } = progress ?? {};
  return {
    text:
      `index: updating (${renderProgress(percent, etaMs)})\n` +
      `next: Call project_status with ${JSON.stringify({ operation_id: job.id })} to follow it; searching works meanwhile.`,
    structured: {
      success: true,
      state: 'running',
      operation_id: job.id,
      ...(percent === undefined ? {} : { percent }),
      ...(etaMs === undefined ? {} : { eta_ms: etaMs }),
    },
  };
}

interface Running extends Record<string, unknown> {
  readonly success: true;
  readonly state: 'running' | 'elsewhere';
}

function endedOtherwise(
  end: Exclude<JobEnd, { kind: 'done' }>,
  root: string,
): (ToolAnswer & { structured: Running }) | FailedAnswer {
  switch (end.kind) {
    case 'busy':
      return {
        text: 'index: updating in another process; the index it makes is this one too.',
        structured: { success: true, state: 'elsewhere' },
      };
    case 'stopped':
      return renderFailure({
        errorType: 'interrupted',
        message: 'Indexing was stopped before its end; what was indexed is kept.',
        instruction: `Call index_codebase with ${JSON.stringify({ project: root })} to go on.`,
      });
    case 'failed': {
      if (end.error.facts.fault === 'bug') throw end.error;
      const hint = end.error.hint === undefined ? '' : `${end.error.hint} `;
      return renderFailure({
        errorType: end.error.code,
        message: end.error.message,
        instruction: `${hint}Then call index_codebase with ${JSON.stringify({ project: root })}`,
      });
    }
  }
}
