/** Tool `checkpoint_resume`: takes up earlier work, with as much of it as is needed. */
import * as z from 'zod';
import { fence, RESUME_LEVELS, type FileState, type Resumed } from '../memory/index.ts';
import { escapeControl } from '../text/index.ts';
import { defineTool, projectOf } from './define-tool.ts';
import { renderOrigin, withName } from './render-memory.ts';

const MOST_FILES_SHOWN = { summary: 3, context: 12, full: 40 } as const;
const MOST_FILES_VALUE = 40;

export const checkpointResume = defineTool({
  name: 'checkpoint_resume',
  toolset: 'memory',
  title: 'Resume from a checkpoint',
  description:
    'Take up earlier work: the newest checkpoint or the one with this id, and which of its files changed since. Use it when a session starts.',
  project: 'required',
  input: z.strictObject({
    id: z.string().optional(),
    level: z.enum(RESUME_LEVELS).default('context').describe('At most 200 tokens, 2,000, or all'),
    offset: z.number().optional().describe('Where level full goes on'),
  }),
  output: z.object({
    id: z.string().nullable(),
    name: z.string(),
    branch: z.string().nullable(),
    changed_files: z.array(z.object({ path: z.string(), state: z.string() })),
    uncommitted_files: z.array(z.object({ path: z.string(), state: z.string() })),
    commit: z.string().nullable(),
    next_offset: z.number().nullable(),
    flags: z.array(z.string()),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { level: 'context' },
  async run({ id, level, offset }, call) {
    const { memory } = call.services;
    const resumed = await memory.resume(projectOf(call).project.root, {
      id,
      level,
      ...(offset === undefined ? {} : { offset }),
    });
    if (resumed === undefined) return NOTHING_YET;
    const { entry, text, files, nextOffset } = resumed;
    const changed = files.filter(({ state }) => state !== 'unchanged');
    const body = fence({
      label: renderOrigin(entry),
      text: withName(entry.name, text),
      newWord: memory.newId,
    });
    return {
      text: [
        `checkpoint ${entry.id}${resumed.otherWorktree ? ' (of another worktree)' : ''}`,
        body,
        ...renderUncommitted(files, MOST_FILES_SHOWN[level]),
        ...renderFiles(changed, files.length, MOST_FILES_SHOWN[level]),
        ...renderMore(resumed),
      ].join('\n'),
      structured: {
        id: entry.id,
        name: escapeControl(entry.name),
        branch: entry.provenance.branch ?? null,
        changed_files: changed
          .slice(0, MOST_FILES_VALUE)
          .map(({ path, state }) => ({ path: escapeControl(path), state })),
        uncommitted_files: files
          .flatMap(({ path, dirty }) =>
            dirty === undefined ? [] : [{ path: escapeControl(path), state: dirty }],
          )
          .slice(0, MOST_FILES_VALUE),
        commit: entry.provenance.commit ?? null,
        next_offset: nextOffset ?? null,
        flags: [...entry.flags],
      },
    };
  },
});

const NOTHING_YET = {
  text: 'No checkpoint yet. checkpoint_save makes one.',
  structured: {
    id: null,
    name: '',
    branch: null,
    commit: null,
    changed_files: [],
    uncommitted_files: [],
    next_offset: null,
    flags: [],
  },
};

function renderUncommitted(files: readonly FileState[], most: number): readonly string[] {
  const dirty = files.filter((file) => file.dirty !== undefined);
  if (dirty.length === 0) return [];
  const shown = dirty
    .slice(0, most)
    .map(({ path, dirty: how = '' }) => `${escapeControl(path)} ${escapeControl(how)}`);
  return [`not committed then: ${withRest(shown, dirty.length)}`];
}

function withRest(shown: readonly string[], all: number): string {
  const rest = all - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

function renderFiles(changed: readonly FileState[], all: number, most: number): readonly string[] {
  if (all === 0) return [];
  if (changed.length === 0) return [`its ${all} files are unchanged since`];
  const shown = changed.slice(0, most).map(({ path, state }) => `${escapeControl(path)} ${state}`);
  return [`since then: ${withRest(shown, changed.length)}`];
}

function renderMore({ entry, nextOffset }: Resumed): readonly string[] {
  if (nextOffset === undefined) return [];
  const offset = nextOffset === 0 ? '' : ` and offset=${nextOffset}`;
  return [`next: checkpoint_resume with id="${entry.id}", level="full"${offset} for more`];
}
