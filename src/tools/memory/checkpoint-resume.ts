/** Tool `checkpoint_resume`: takes up earlier work, with as much of it as is needed. */
import * as z from 'zod';
import {
  cutToTokens,
  estimateTokens,
  fence,
  isPartial,
  RESUME_LEVELS,
  textAtLevel,
  type FileState,
  type ResumeLevel,
} from '../../memory/index.ts';
import { escapeControl, escapeControlInJson, escapeControlKeepingLines } from '../../text/index.ts';
import { defineTool, projectOf } from '../define-tool.ts';
import { DATA_NOTE, NOTE, orNull } from './memory-values.ts';
import { renderOrigin, renderWriter, shortPath, withName, withNotes } from '../render-memory.ts';
import { renderProjectLine } from '../render-project.ts';
import { MOST_NAME_CHARS, textUpTo } from '../schemas.ts';

interface Shown {
  readonly files: number;
  readonly pathChars: number;
  /** Whether files that did not change are named, too. */
  readonly sameFiles: boolean;
}

const SHOWN: Readonly<Record<ResumeLevel, Shown>> = {
  summary: { files: 2, pathChars: 36, sameFiles: false },
  context: { files: 12, pathChars: 80, sameFiles: true },
  full: { files: 40, pathChars: 120, sameFiles: true },
};
const MOST_FILES_VALUE = 40;
const MOST_STATE_CHARS = 16;

export const checkpointResume = defineTool({
  name: 'checkpoint_resume',
  toolset: 'memory',
  scope: 'memory:read',
  title: 'Resume from a checkpoint',
  description:
    'Resume earlier work, where were we and what is next: the newest checkpoint or the one with this id, and which of its files changed since. Use it when a session starts.',
  project: 'required',
  input: z.strictObject({
    id: textUpTo(MOST_NAME_CHARS).optional(),
    level: z.enum(RESUME_LEVELS).default('context').describe('At most 200 tokens, 2,000, or all'),
    offset: z.number().optional().describe('Where level full goes on'),
  }),
  output: z.object({
    id: z.string().nullable(),
    name: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    notes: z.string().nullable().describe('tags and metadata, if they are cut'),
    written_by: z.string().nullable(),
    created_at: z.string().nullable(),
    branch: z.string().nullable(),
    worktree: z.string().nullable(),
    other_worktree: z.boolean(),
    source: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), state: z.string() })),
    changed_files: z.array(z.object({ path: z.string(), state: z.string() })),
    uncommitted_files: z.array(z.object({ path: z.string(), state: z.string() })),
    uncommitted_partial: z.boolean(),
    commit: z.string().nullable(),
    next_offset: z.number().nullable(),
    flags: z.array(z.string()),
    note: NOTE,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  example: { level: 'context' },
  async run({ id, level, offset }, call) {
    const { engine, newWord } = call.services;
    const resumed = await engine.resume({ root: projectOf(call).project.root, id });
    if (resumed === undefined) return NOTHING_YET;
    const { entry, files } = resumed;
    const changed = files.filter(({ state }) => state !== 'unchanged');
    const shown = SHOWN[level];
    const { commit } = entry.provenance;
    // A row from elsewhere may say anything there.
    const at =
      level === 'summary' || commit === undefined || !COMMIT.test(commit) ? '' : `, at commit ${commit}`;
    const render = (text: string, notes: string, nextOffset: number | undefined): string =>
      [
        `checkpoint ${entry.id}${resumed.otherWorktree ? ' (of another worktree)' : ''}${at}`,
        fence({
          label: renderOrigin(entry),
          text: withNotes(withName(nameWithin(entry.name, level), text), notes),
          newWord,
        }),
        ...renderUncommitted(files, isPartial(entry), shown),
        ...renderFiles(files, shown),
        ...renderMore(entry.id, nextOffset),
      ].join('\n');
    // With the longest of everything, so that the whole keeps its limit.
    const around = `${renderProjectLine(call.detection)}\n${render('', CUT_NOTES, entry.content.length)}`;
    const { text, notes, areNotesWhole, nextOffset } = textAtLevel(entry, level, {
      offset: offset ?? 0,
      aroundTokens: estimateTokens(around),
    });
    const shownNotes = areNotesWhole ? notes : `${notes}${CUT_NOTES}`;
    const { branch, worktree, source } = entry.provenance;
    return {
      text: render(text, shownNotes, nextOffset),
      structured: {
        id: entry.id,
        name: escapeControl(entry.name),
        content: escapeControlKeepingLines(text),
        tags: areNotesWhole ? entry.tags.map(escapeControl) : [],
        metadata: areNotesWhole ? escapeValue(entry.metadata) : null,
        notes: areNotesWhole ? null : escapeControlKeepingLines(shownNotes),
        written_by: renderWriter(entry.provenance),
        created_at: new Date(entry.createdAt).toISOString(),
        branch: orNull(branch),
        worktree: orNull(worktree),
        other_worktree: resumed.otherWorktree,
        source: orNull(source),
        files: files
          .slice(0, MOST_FILES_VALUE)
          .map(({ path, state }) => ({ path: escapeControl(path), state })),
        changed_files: changed
          .slice(0, MOST_FILES_VALUE)
          .map(({ path, state }) => ({ path: escapeControl(path), state })),
        uncommitted_files: files
          .flatMap(({ path, dirty }) =>
            dirty === undefined ? [] : [{ path: escapeControl(path), state: dirty }],
          )
          .slice(0, MOST_FILES_VALUE),
        uncommitted_partial: isPartial(entry),
        commit: at === '' ? null : orNull(commit),
        next_offset: nextOffset ?? null,
        flags: [...entry.flags],
        note: DATA_NOTE,
      },
    };
  },
});

const COMMIT = /^[0-9a-f]{4,64}$/;

const NOTHING_YET = {
  text: 'No checkpoint yet. checkpoint_save makes one.',
  structured: {
    id: null,
    name: '',
    content: '',
    tags: [],
    metadata: null,
    notes: null,
    written_by: null,
    created_at: null,
    branch: null,
    worktree: null,
    other_worktree: false,
    source: null,
    files: [],
    commit: null,
    changed_files: [],
    uncommitted_files: [],
    uncommitted_partial: false,
    next_offset: null,
    flags: [],
    note: DATA_NOTE,
  },
};

const CUT_NOTES = ' [cut: level="full" goes on]';

/** Every text in it safe for a terminal, names included. */
function escapeValue(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // What JSON gave is what JSON takes back; escapes within its strings stay escapes.
  return JSON.parse(escapeControlInJson(JSON.stringify(value))) as Record<string, unknown>;
}

function renderUncommitted(files: readonly FileState[], partial: boolean, most: Shown): readonly string[] {
  const dirty = files.filter((file) => file.dirty !== undefined);
  if (dirty.length === 0) return partial ? ['not committed then: not known, there were too many files'] : [];
  const shown = dirty
    .slice(0, most.files)
    .map(
      ({ path, dirty: how = '' }) => `${shortPath(path, most.pathChars)} ${shortPath(how, MOST_STATE_CHARS)}`,
    );
  return [`not committed then: ${withRest(shown, dirty.length)}${partial ? ', and maybe others' : ''}`];
}

const MOST_NAME_TOKENS = 20;

/** A name may be as long as a summary. */
function nameWithin(name: string, level: ResumeLevel): string {
  return level === 'summary' ? cutToTokens(name, MOST_NAME_TOKENS).text : name;
}

function withRest(shown: readonly string[], all: number): string {
  const rest = all - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

/** Changed ones first: they are what the reader has to look at again. */
function renderFiles(files: readonly FileState[], most: Shown): readonly string[] {
  const changed = files.filter(({ state }) => state !== 'unchanged');
  const same = files.filter(({ state }) => state === 'unchanged');
  const named = (some: readonly FileState[], render: (file: FileState) => string): string =>
    withRest(some.slice(0, most.files).map(render), some.length);
  const path = (file: FileState): string => shortPath(file.path, most.pathChars);
  const count = same.length === 1 ? '1 file is' : `${same.length} files are`;
  return [
    ...(changed.length === 0
      ? []
      : [`since then: ${named(changed, (file) => `${path(file)} ${file.state}`)}`]),
    ...(same.length === 0 || (changed.length > 0 && !most.sameFiles)
      ? []
      : [
          `${changed.length === 0 ? `its ${count} unchanged since` : 'unchanged'}${most.sameFiles ? `: ${named(same, path)}` : ''}`,
        ]),
  ];
}

function renderMore(id: string, nextOffset: number | undefined): readonly string[] {
  if (nextOffset === undefined) return [];
  const offset = nextOffset === 0 ? '' : ` and offset=${nextOffset}`;
  return [`next: checkpoint_resume with id="${id}", level="full"${offset} for more`];
}
