/** Keeps a fact, a preference or a note, typed by a person. */
import { readStandardInput } from '../../platform/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { needed, textOf } from '../options.ts';
import { memoryRoot } from '../memory-root.ts';
import { CLI_AUTHOR } from './memory-entries.ts';

export const rememberCommand: Command = {
  name: 'remember',
  group: 'Remember',
  summary: 'Keep a fact or preference, of the project or of yours',
  examples: [
    'waymark remember "Packages are installed with pnpm."',
    'waymark remember "I prefer short answers." --person',
    'waymark remember "Ports start at 4000." --subject ports --tags setup,dev',
    'waymark remember - --checkpoint < notes.md',
  ],
  argument: {
    name: 'text',
    description: 'what to keep, words need no quotes; - reads it from standard input',
    many: true,
  },
  options: [
    { name: 'person', description: 'it is about you and holds in every project' },
    { name: 'subject', valueName: 'words', description: 'what it is about; replaces an older fact of that' },
    { name: 'checkpoint', description: 'it says where the work stands' },
    { name: 'tags', valueName: 'list', description: 'tags, separated by commas' },
  ],
  async run({ services, output, words }, _argument, options) {
    const { saveFact } = await import('../../memory/index.ts');
    const given = needed(words.join(' '), 'remember', '"Packages are installed with pnpm."');
    const text = given === '-' ? await readStandardInput() : given;
    const { memory, detector } = await services();
    const { root, done } = await memoryRoot({ memory, detector });
    const tags = textOf(options, 'tags')
      ?.split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    if (options['checkpoint'] === true) {
      const saved = await memory.save(root, CLI_AUTHOR, { kind: 'checkpoint', content: text, tags });
      await done();
      output.answer(
        `Checkpoint saved as ${escapeControl(saved.entry.id)}.${redactedNote(saved.redacted)}`,
        saved,
      );
      return;
    }
    const saved = await saveFact(memory, root, CLI_AUTHOR, {
      text,
      subject: textOf(options, 'subject'),
      scope: options['person'] === true ? 'person' : 'project',
      tags,
    });
    await done();
    const { entry, before, near, repeated } = saved;
    const lines = [
      `${repeated ? 'Known already as' : 'Saved as'} ${entry.id}.${redactedNote(saved.redacted)}`,
      ...(before === undefined
        ? []
        : [`It replaces: ${before}`, `\`waymark memory undo ${entry.id}\` takes that back.`]),
      ...(near.length === 0
        ? []
        : ['Near to it, do they still hold?', ...near.map(({ id, content }) => `  ${id}  ${content}`)]),
    ];
    output.answer(escapeControlKeepingLines(lines.join('\n')), saved);
  },
};

function redactedNote(redacted: readonly { readonly kind: string; readonly count: number }[]): string {
  if (redacted.length === 0) return '';
  return ` Secrets were taken out: ${redacted.map(({ kind, count }) => `${count} × ${kind}`).join(', ')}.`;
}
