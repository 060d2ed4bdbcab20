/** Tool `project_status`: which project a call belongs to, and how we know. */
import { z } from 'zod';
import type { Detection, Project } from '../core/index.ts';
import type { Job } from '../indexing/index.ts';
import { escapeControl } from '../text/index.ts';
import { defineTool, type ToolAnswer, type ToolCall } from './define-tool.ts';
import { renderFailure } from './failures.ts';
import { FRESHNESS_VALUE } from './ensure-indexed.ts';
import { renderFreshness, renderProgress, toFreshnessValue } from './render-progress.ts';
import {
  renderGit,
  renderProjectLine,
  renderReports,
  toGitValue,
  toProjectValue,
  toSourceValue,
} from './render-project.ts';

const NEXT =
  'Call switch_project with the absolute path of the project, or set WAYMARK_PROJECT in the client.';

export const projectStatus = defineTool({
  name: 'project_status',
  aliases: ['status'],
  toolset: 'project',
  title: 'Project status',
  description:
    'Say which project Waymark takes this conversation to be about and how it knows: what every source said (roots, client ' +
    'metadata, URL, environment, working directory) and why it won or lost. Use it first when an answer seems to come from ' +
    'the wrong project, or with an operation_id to see how far a long operation is.',
  project: 'reported',
  input: z.strictObject({
    operation_id: z.string().max(100).optional().describe('A long operation to follow'),
  }),
  output: z.object({
    sources: z.array(
      z.object({
        source: z.string(),
        outcome: z.enum(['won', 'lost', 'nothing', 'refused']),
        path: z.string().nullable(),
        via: z.string().nullable(),
        reason: z.string().nullable(),
        strength: z.enum(['strong', 'weak']).nullable(),
      }),
    ),
    workspace: z.array(z.object({ name: z.string(), root: z.string() })),
    git: z
      .object({
        repository: z.string(),
        branch: z.string().nullable(),
        worktree: z.string().nullable(),
        remote: z.string().nullable(),
      })
      .nullable(),
    index: FRESHNESS_VALUE.optional(),
    operation: z.looseObject({ id: z.string(), state: z.string() }).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run({ operation_id: operationId }, call) {
    const { detection } = call;
    const operation = operationId === undefined ? undefined : followOperation(operationId, call);
    if (operation?.isError === true) return { ...operation, isError: true, standsAlone: true };
    const index =
      detection.kind === 'found' ? call.services.indexing.state(detection.project.root) : undefined;
    const git = call.git();
    const workspace = workspaceOf(detection);
    const text = [
      ...(operation === undefined ? [] : [operation.text]),
      renderProjectLine(detection),
      ...(workspace.length < 2
        ? []
        : [`workspace: ${escapeControl(workspace.map(({ root }) => root).join(', '))}`]),
      ...(git === undefined ? [] : [renderGit(git)]),
      ...(index === undefined ? [] : [renderFreshness(index)]),
      'sources, most trusted first:',
      renderReports(detection),
      ...(detection.kind === 'found' ? [] : [`next: ${NEXT}`]),
    ].join('\n');
    return {
      text,
      standsAlone: operation !== undefined,
      structured: {
        ...operation?.structured,
        project: toProjectValue(detection),
        workspace: [...workspace],
        ...(index === undefined ? {} : { index: toFreshnessValue(index) }),
        git: toGitValue(git),
        sources: detection.reports.map((report) => ({ ...toSourceValue(report, detection) })),
      },
    };
  },
});

/** Every folder the client has open, whichever of them or of the other sources won. */
function workspaceOf({ reports }: Detection): readonly Project[] {
  const roots = reports.find((report) => report.source === 'roots');
  return roots?.kind === 'found' ? (roots.workspace ?? []) : [];
}

function followOperation(id: string, { services }: ToolCall): ToolAnswer {
  const job = services.indexing.operation(id);
  if (job === undefined) {
    return renderFailure({
      errorType: 'unknown_operation',
      message: 'There is no such operation: its id is wrong, or the server that ran it has ended since.',
      instruction:
        'Call index_codebase to bring the index up to date; it goes on where the last run stopped.',
    });
  }
  const { text, value } = describeJob(job);
  return {
    text: `operation ${job.id}: indexing ${escapeControl(job.root)}, ${text}`,
    structured: { operation: { id: job.id, kind: 'index', root: job.root, ...value } },
  };
}

function describeJob(job: Job): { readonly text: string; readonly value: { readonly state: string } } {
  const end = job.end();
  switch (end?.kind) {
    case undefined: {
      const progress = job.progress();
      const { percent, etaMs, done, total } = progress ?? {};
      const files = progress === undefined ? '' : `, ${done} of ${total} files`;
      return {
        text: `running: ${renderProgress(percent, etaMs)}${files}`,
        value: { state: 'running', ...defined({ percent, eta_ms: etaMs, done, total }) },
      };
    }
    case 'done': {
      const { kind: _done, ...counts } = end;
      return {
        text: `done: ${end.indexed} indexed, ${end.removed} removed, ${end.skipped} left out in ${end.ms} ms`,
        value: { state: 'done', ...counts },
      };
    }
    case 'busy':
      return { text: 'left to another process that is at it', value: { state: 'elsewhere' } };
    case 'stopped':
      return { text: 'stopped; what was indexed is kept', value: { state: 'stopped' } };
    case 'failed': {
      const failure = { error_type: end.error.code, message: end.error.message };
      return { text: `failed: ${escapeControl(end.error.message)}`, value: { state: 'failed', ...failure } };
    }
  }
}

function defined(values: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
