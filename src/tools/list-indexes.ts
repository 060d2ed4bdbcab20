/** Tool `list_indexes`: which projects are indexed on this machine. */
import * as z from 'zod';
import { escapeControl, renderSize } from '../text/index.ts';
import { defineTool } from './define-tool.ts';
import { renderProjectLine } from './render-project.ts';

const MOST_ROWS = 50;

interface IndexRow {
  name: string;
  root: string;
  size_bytes: number;
  used_at: string;
  current: boolean;
}

export const listIndexes = defineTool({
  name: 'list_indexes',
  toolset: 'search',
  scope: 'search',
  title: 'List indexes',
  description:
    'List the projects that are indexed on this machine, most recently used first. Use it to find the name or path to pass ' +
    'as `project` when another project is meant.',
  // It lists with or without one, but says which it would be, as a help in choosing another.
  project: 'reported',
  input: z.strictObject({}),
  output: z.object({
    indexes: z.array(
      z.object({
        name: z.string(),
        root: z.string(),
        size_bytes: z.number(),
        used_at: z.string(),
        current: z.boolean(),
      }),
    ),
    left_off: z.number(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: {},
  async run(_input, call) {
    const kept = (await call.services.engine.listIndexes({})).filter(({ kind }) => kind === 'current');
    const here = call.detection.kind === 'found' ? call.detection.project.root : undefined;
    const rows: IndexRow[] = [];
    let leftOff = 0;
    for (const { root, name, sizeBytes, usedAt } of kept) {
      // A client that may not name a project is not told of it either; neither is anybody of one that is gone.
      if (root === undefined || name === undefined || (await call.name(root)).kind !== 'found') continue;
      if (rows.length === MOST_ROWS) leftOff += 1;
      else
        rows.push({
          name,
          root,
          size_bytes: sizeBytes,
          used_at: new Date(usedAt).toISOString(),
          current: root === here,
        });
    }
    const lines = rows.map(renderRow);
    if (leftOff > 0) lines.push(`and ${leftOff} more: \`waymark projects\` shows all`);
    return {
      text: [
        renderProjectLine(call.detection),
        ...(lines.length === 0 ? ['No project is indexed yet.'] : lines),
      ].join('\n'),
      standsAlone: true,
      structured: { indexes: rows, left_off: leftOff },
    };
  },
});

function renderRow({ name, root, size_bytes: bytes, used_at: usedAt, current }: IndexRow): string {
  const size = renderSize(bytes);
  const mark = current ? '  (current)' : '';
  return `${escapeControl(name)}  ${escapeControl(root)}  ${size}  used ${usedAt.slice(0, 10)}${mark}`;
}
