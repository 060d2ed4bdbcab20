/** Tool `project_status`: which project a call belongs to, and how we know. */
import { z } from 'zod';
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
    git: z
      .object({
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
    const text = [
      renderProjectLine(detection),
      ...(git === undefined ? [] : [`git: ${escapeControl(renderGit(git))}`]),
      'sources, most trusted first:',
      renderReports(detection),
      ...(detection.kind === 'found' ? [] : [`next: ${NEXT}`]),
    ].join('\n');
    return {
      text,
      structured: {
        project: toProjectValue(detection),
        git:
          git === undefined
            ? null
            : { branch: git.branch ?? null, worktree: git.worktree ?? null, remote: git.remote ?? null },
        sources: detection.reports.map((report) => ({
          source: report.source,
          says: verdict(report, detection),
        })),
      },
    };
  },
});

function renderGit(git: NonNullable<ReturnType<typeof readGitIdentity>>): string {
  const place = git.worktree === undefined ? '' : `, worktree ${git.worktree}`;
  return `${git.branch === undefined ? 'no branch' : `branch ${git.branch}`}${place}`;
}
