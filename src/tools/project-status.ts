/** Tool `project_status`: which project a call belongs to, and how we know. */
import { z } from 'zod';
import type { Detection, Project } from '../core/index.ts';
import { readGitIdentity } from '../project/index.ts';
import { escapeControl } from '../text/index.ts';
import { defineTool } from './define-tool.ts';
import { renderProjectLine, renderReports, toProjectValue, verdict } from './render-project.ts';

const NEXT =
  'Call switch_project with the absolute path of the project, or set WAYMARK_PROJECT in the client.';

export const projectStatus = defineTool({
  name: 'project_status',
  aliases: ['status'],
  title: 'Project status',
  description:
    'Say which project Waymark takes this conversation to be about and how it knows: what every source said (roots, client ' +
    'metadata, URL, environment, working directory) and why it won or lost. Use it first when an answer seems to come from ' +
    'the wrong project.',
  project: 'reported',
  input: z.strictObject({}),
  output: z.object({
    sources: z.array(z.object({ source: z.string(), says: z.string() })),
    workspace: z.array(z.object({ name: z.string(), root: z.string() })),
    git: z
      .object({
        repository: z.string(),
        branch: z.string().nullable(),
        worktree: z.string().nullable(),
        remote: z.string().nullable(),
      })
      .nullable(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, { detection }) {
    const git = detection.kind === 'found' ? readGitIdentity(detection.project.root) : undefined;
    const workspace = workspaceOf(detection);
    const text = [
      renderProjectLine(detection),
      ...(workspace.length < 2
        ? []
        : [`workspace: ${escapeControl(workspace.map(({ root }) => root).join(', '))}`]),
      ...(git === undefined ? [] : [`git: ${escapeControl(renderGit(git))}`]),
      'sources, most trusted first:',
      renderReports(detection),
      ...(detection.kind === 'found' ? [] : [`next: ${NEXT}`]),
    ].join('\n');
    return {
      text,
      structured: {
        project: toProjectValue(detection),
        workspace: [...workspace],
        git:
          git === undefined
            ? null
            : {
                repository: git.commonDir,
                branch: git.branch ?? null,
                worktree: git.worktree ?? null,
                remote: git.remote ?? null,
              },
        sources: detection.reports.map((report) => ({
          source: report.source,
          says: verdict(report, detection),
        })),
      },
    };
  },
});

/** Every folder the client has open, whichever of them or of the other sources won. */
function workspaceOf({ reports }: Detection): readonly Project[] {
  const roots = reports.find((report) => report.source === 'roots');
  return roots?.kind === 'found' ? (roots.workspace ?? []) : [];
}

function renderGit(git: NonNullable<ReturnType<typeof readGitIdentity>>): string {
  const place = git.worktree === undefined ? '' : `, worktree ${git.worktree}`;
  return `${git.branch === undefined ? 'no branch' : `branch ${git.branch}`}${place}`;
}
