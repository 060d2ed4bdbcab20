/** Tool `project_status`: which project a call belongs to, and how we know. */
import * as z from 'zod';
import type { Detection, Project } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';
import { defineTool } from './define-tool.ts';
import {
  renderGit,
  renderHeadline,
  renderReports,
  toGitValue,
  toProjectValue,
  toSourceValue,
} from './render-project.ts';
import { FRESHNESS_VALUE, renderFreshness, toFreshnessValue } from './freshness.ts';
import { readMemoryFacts } from './render-memory-sizes.ts';
import { renderOperation, unknownOperation } from './render-operation.ts';

const NEXT = 'Call switch_project with the absolute path of the project.';

export const projectStatus = defineTool({
  name: 'project_status',
  aliases: ['status'],
  toolset: 'project',
  scope: 'search',
  title: 'Project status',
  description:
    'Say which project, branch, index and memory this conversation works on and how Waymark knows: what every source said ' +
    '(roots, client metadata, URL, environment, working directory) and why it won or lost. Use it when an answer seems to ' +
    'come from the wrong project, or with an operation_id to see how far a long operation is.',
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
    memory: z.object({ entries: z.record(z.string(), z.number()), of: z.string() }).optional(),
    operation: z.looseObject({ id: z.string(), state: z.string() }).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run({ operation_id: operationId }, call) {
    const { detection } = call;
    const { engine } = call.services;
    const job = operationId === undefined ? undefined : await engine.operation({ id: operationId });
    if (operationId !== undefined && job === undefined) return { ...unknownOperation(), standsAlone: true };
    const operation = job && renderOperation(job);
    const index =
      detection.kind === 'found' ? await engine.indexState({ root: detection.project.root }) : undefined;
    const git = call.git(call.detection);
    const memory =
      detection.kind === 'found' ? await readMemoryFacts(engine, detection.project.root) : undefined;
    const workspace = workspaceOf(detection);
    const text = [
      ...(operation === undefined ? [] : [operation.text]),
      renderHeadline(detection, [git && renderGit(git), index && renderFreshness(index), memory?.text]),
      ...(workspace.length < 2
        ? []
        : [`workspace: ${escapeControl(workspace.map(({ root }) => root).join(', '))}`]),
      'sources, most trusted first:',
      renderReports(detection),
      ...(detection.kind === 'refused' ? [`next: ${NEXT}`] : []),
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
        ...(memory === undefined
          ? {}
          : { memory: { entries: { ...memory.value.entries }, of: memory.value.of } }),
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
