/** Tool `checkpoint_list`: the latest checkpoints, newest first. */
import * as z from 'zod';
import { fence } from '../../memory/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import { defineTool, projectOf } from '../define-tool.ts';
import { limitOf } from './memory-schemas.ts';
import { DATA_NOTE, NOTE, orNull } from './memory-values.ts';
import { renderOrigin, renderWriter } from '../render-memory.ts';

export const checkpointList = defineTool({
  name: 'checkpoint_list',
  toolset: 'memory',
  scope: 'memory:read',
  unlisted: true,
  title: 'List checkpoints',
  description: 'List the saved checkpoints (notes of earlier sessions), newest first, of all worktrees.',
  project: 'required',
  input: z.strictObject({ limit: limitOf(10), offset: z.number().optional() }),
  output: z.object({
    checkpoints: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        created_at: z.string(),
        written_by: z.string(),
        branch: z.string().nullable(),
        worktree: z.string().nullable(),
        source: z.string().nullable(),
        flags: z.array(z.string()),
        tokens: z.number(),
      }),
    ),
    next_offset: z.number().nullable(),
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { limit: 10 },
  async run({ limit, offset = 0 }, call) {
    const { engine, newWord } = call.services;
    const found = await engine.listEntries({
      root: projectOf(call).project.root,
      kinds: ['checkpoint'],
      limit: limit + 1,
      offset,
    });
    const shown = found.slice(0, limit).map(({ entry }) => entry);
    const next = found.length > limit ? offset + limit : null;
    const rows = shown.map(
      (entry) =>
        `${entry.id}  ${escapeControl(entry.name)} (${renderOrigin(entry)}, ${countOf(entry.tokens, 'token')})`,
    );
    const list = fence({
      label: countOf(shown.length, 'checkpoint'),
      text: rows.join('\n'),
      newWord,
    });
    return {
      text: [
        shown.length === 0 ? 'No checkpoint yet. checkpoint_save makes one.' : list,
        ...(next === null ? [] : [`next: checkpoint_list with offset=${next} for older ones`]),
      ].join('\n'),
      structured: {
        checkpoints: shown.map(({ id, name, createdAt, provenance, flags, tokens }) => ({
          id,
          name: escapeControl(name),
          created_at: new Date(createdAt).toISOString(),
          written_by: renderWriter(provenance),
          branch: orNull(provenance.branch),
          worktree: orNull(provenance.worktree),
          source: orNull(provenance.source),
          flags: [...flags],
          tokens,
        })),
        next_offset: next,
        note: DATA_NOTE,
      },
    };
  },
});
