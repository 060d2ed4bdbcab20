import { AppError } from '../../core/index.ts';
import { readStandardInput } from '../../platform/index.ts';
import type { MemoryEntry } from '../../storage/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { EntryEdit } from '../../memory/index.ts';
import type { Command, OptionValues } from '../command.ts';
import { editInEditor } from '../edit-in-editor.ts';
import { needed } from '../options.ts';
import { CLI_AUTHOR } from '../memory-lines.ts';
import { projectRoot } from '../project-root.ts';

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
  places: [],
  argument: { name: 'id', description: 'the entry, as `waymark memory list` names it' },
  options: [
    { name: 'name', valueName: 'text', description: 'the new name' },
    { name: 'summary', valueName: 'text', description: 'the new summary' },
    { name: 'content', valueName: 'text', description: 'the new text; - reads it from standard input' },
    { name: 'tags', valueName: 'list', description: 'the new tags, separated by commas' },
  ],
  async run({ services, output, stop }, argument, options) {
    const { editEntry } = await import('../../memory/index.ts');
    const id = needed(argument, 'memory edit', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const root = await projectRoot(detector, undefined);
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
        stop,
        instead: `waymark memory edit ${id} --content - < FILE`,
        keep: (content) => change({ content }),
      });
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
  const text = (name: string): string | undefined => {
    const given = options[name];
    return typeof given === 'string' ? given : undefined;
  };
  const content = text('content');
  return {
    name: text('name'),
    summary: text('summary'),
    content: content === '-' ? await readStandardInput() : content,
    tags: text('tags')
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
