/** Tool `project_status`: which project a call belongs to, and how we know. */
import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { renderProjectLine, renderReports, verdict } from './render-project.ts';

const NEXT =
  'Set WAYMARK_PROJECT to the absolute path of the project, or start Waymark with --project-from-cwd.';

export const projectStatus = defineTool({
  name: 'project_status',
  title: 'Project status',
  description:
    'Say which project Waymark takes this conversation to be about and how it knows: what every source said ' +
    '(environment, working directory) and why it won or lost. Use it first when an answer seems to come ' +
    'from the wrong project.',
  input: z.strictObject({}),
  output: z.object({
    project: z.object({ root: z.string(), name: z.string(), source: z.string() }).nullable(),
    sources: z.array(z.object({ source: z.string(), found: z.boolean(), says: z.string() })),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const detection = await call.detect();
    const found = detection.kind === 'found';
    const text = [
      renderProjectLine(detection),
      'sources, most trusted first:',
      renderReports(detection),
      ...(found ? [] : [`next: ${NEXT}`]),
    ].join('\n');
    return {
      text,
      structured: {
        project: found
          ? { root: detection.project.root, name: detection.project.name, source: detection.source }
          : null,
        sources: detection.reports.map((report) => ({
          source: report.source,
          found: report.kind === 'found',
          says: verdict(report, detection),
        })),
      },
    };
  },
});
