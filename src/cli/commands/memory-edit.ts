/** Changes an entry of the memory: in the user's editor, or by options. */
import { dirname } from 'node:path';
import type { Environment } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import type { EntryEdit } from '../../memory/index.ts';
import { openTextDraft, readStandardInput } from '../../platform/index.ts';
import type { MemoryEntry } from '../../storage/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command, OptionValues } from '../command.ts';
import { needed, textOf } from '../options.ts';
import { memoryRoot } from '../memory-root.ts';
import { CLI_AUTHOR } from './memory-entries.ts';

/** Changes an entry: in the user's editor, or by what the options say. */
export const memoryEditCommand: Command = {
  name: 'memory edit',
  group: 'Remember',
  summary: 'Change an entry in your editor; the old version is kept',
  examples: [
    'waymark memory edit cp-0123456789ab',
    'waymark memory edit cp-0123456789ab --name "upload retries"',
    'waymark memory edit skill-0123456789ab --content - < skill.md',
  ],
  argument: { name: 'id', description: 'the entry, as `waymark memory list` names it' },
  options: [
    { name: 'name', valueName: 'text', description: 'the new name' },
    { name: 'summary', valueName: 'text', description: 'the new summary' },
    { name: 'content', valueName: 'text', description: 'the new text; - reads it from standard input' },
    { name: 'tags', valueName: 'list', description: 'the new tags, separated by commas' },
  ],
  async run({ services, output, stop, env }, argument, options) {
    const { editEntry } = await import('../../memory/index.ts');
    const id = needed(argument, 'memory edit', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const { root, done } = await memoryRoot({ memory, detector });
    const { entry, deletedAt } = await memory.get(root, id);
    if (deletedAt !== undefined)
      throw new AppError('not_found', `${id} is in the bin.`, {
        hint: `\`waymark memory undo ${id}\` takes it back.`,
      });
    let current = entry;
    let redacted = false;
    const change = async (edit: EntryEdit): Promise<void> => {
      current = await editEntry(memory, root, CLI_AUTHOR, id, edit);
      redacted = REDACTED.test(current.content) && !REDACTED.test(edit.content ?? current.content);
    };
    const edit = await readEdit(options);
    if (Object.values(edit).some((given) => given !== undefined)) {
      if (changes(entry, edit)) await change(edit);
    } else
      await editInEditor(entry.content, {
        env,
        stop,
        instead: `waymark memory edit ${id} --content - < FILE`,
        keep: (content) => change({ content }),
      });
    await done();
    output.answer(
      current.version === entry.version
        ? `Nothing was changed: ${escapeControl(id)} stays at version ${entry.version}.`
        : `${escapeControl(id)} is at version ${current.version} now.${redacted ? ' Secrets were taken out before it was stored.' : ''}`,
      current,
    );
  },
};

/** What stands in the place of a secret. */
const REDACTED = /\[redacted:/;

async function readEdit(options: OptionValues): Promise<EntryEdit> {
  const content = textOf(options, 'content');
  return {
    name: textOf(options, 'name'),
    summary: textOf(options, 'summary'),
    content: content === '-' ? await readStandardInput() : content,
    tags: textOf(options, 'tags')
      ?.split(',')
      .map((tag) => tag.trim()),
  };
}

/** Whether it would make another entry of this one. */
function changes(entry: MemoryEntry, { name, summary, content, tags }: EntryEdit): boolean {
  const given = { name, summary, content };
  const isOther = (field: keyof typeof given): boolean =>
    given[field] !== undefined && given[field] !== entry[field];
  return (
    isOther('name') ||
    isOther('summary') ||
    isOther('content') ||
    (tags !== undefined && tags.join('\n') !== entry.tags.join('\n'))
  );
}

const UNCHANGED = 'Nothing was changed. VISUAL and EDITOR say which editor is opened.';

interface EditorOptions {
  readonly env: Environment;
  /** How a command line looks that does the same without an editor. */
  readonly instead: string;
  readonly stop: AbortSignal;
  /** Keeps the changed text; the draft stays on disk if it fails. */
  readonly keep: (text: string) => Promise<void>;
}

/** A text that comes back as it was is not kept again. */
async function editInEditor(text: string, { env, instead, stop, keep }: EditorOptions): Promise<void> {
  const { VISUAL, EDITOR } = env;
  const command = [VISUAL, EDITOR].find((given) => given !== undefined && given.trim() !== '');
  // An editor needs a screen and a keyboard.
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new AppError('bad_argument', 'There is no terminal to open an editor in.', { hint: instead });
  if (command === undefined)
    throw new AppError('bad_argument', 'No editor is set.', {
      hint: `Set EDITOR, for example EDITOR=nano; or ${instead}`,
    });
  const draft = openTextDraft(text, '.md');
  const failed = (message: string, cause?: unknown): AppError =>
    new AppError('file_unavailable', message, {
      hint: `The entry is as it was, and your text is in ${draft.absPath}`,
      cause,
    });
  const problem = (await draft.edit(command)) ?? (stop.aborted ? 'Waymark was told to stop' : undefined);
  let changed: string;
  try {
    changed = draft.read();
  } catch (cause) {
    throw new AppError('file_unavailable', 'The editor left no text behind.', {
      hint: `The entry is as it was. What else the editor left is in ${dirname(draft.absPath)}`,
      cause,
    });
  }
  if (changed === text) {
    draft.discard();
    if (problem === undefined) return;
    throw new AppError('file_unavailable', `The editor did not finish: ${problem}.`, { hint: UNCHANGED });
  }
  if (problem !== undefined) throw failed(`The editor did not finish: ${problem}.`);
  try {
    await keep(changed);
  } catch (cause) {
    throw failed(cause instanceof AppError ? cause.message : 'The text could not be saved.', cause);
  }
  draft.discard();
}
