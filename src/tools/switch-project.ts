/** Tool `switch_project`: choosing the project by hand. */
import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import { renderRefusedProject } from './failures.ts';
import { renderProjectLine } from './render-project.ts';

export const switchProject = defineTool({
  name: 'switch_project',
  aliases: ['set_project'],
  toolset: 'project',
  scope: 'search',
  title: 'Switch project',
  description:
    'Choose the project that this conversation is about, when answers speak of another one or of none. Takes the absolute ' +
    'path of the project, or the name of one that was used before. Later calls then use it.',
  project: 'none',
  input: z.strictObject({
    project: z.string().min(1).max(4096).describe('Absolute path of the project, or the name of a known one'),
  }),
  output: z.object({ kept: z.boolean(), handle: z.string() }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { project: '/home/me/web-shop' },
  async run({ project: text }, call) {
    const named = await call.name(text);
    if (named.kind === 'refused') {
      return renderRefusedProject(named, nextCall(text));
    }
    const { project } = named;
    const kept = call.choose(project);
    const line = renderProjectLine({
      kind: 'found',
      project,
      source: 'switched',
      via: 'switch_project',
      weak: false,
      vcs: false,
      disagreements: [],
      reports: [],
    });
    const next = kept
      ? 'Later calls of this connection use it.'
      : `This protocol revision keeps nothing between calls: pass project=${JSON.stringify(project.root)} in each one.`;
    return {
      text: `${line}\n${next}`,
      structured: { kept, handle: project.root, project: { ...project, source: 'switched' } },
    };
  },
});

/** A name that is not known needs the whole path once; after that it is known. */
function nextCall(text: string): string {
  const isName = /^[^\\/~.][^\\/]*$/.test(text);
  const example = JSON.stringify({ project: isName ? `/absolute/path/to/${text}` : '/home/me/web-shop' });
  return isName
    ? `Call switch_project with the absolute path of that folder: ${example}`
    : `Call switch_project with the absolute path of an existing directory, such as ${example}`;
}
