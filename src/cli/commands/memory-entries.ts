import { ENTRY_KINDS } from '../../core/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { CLI_WRITER, entryLine, entryText } from '../memory-lines.ts';
import { projectRoot } from '../project-root.ts';
import { needed, toCount } from '../options.ts';

/** Loaded by the command that needs it. */
const loadMemory = () => import('../../memory/index.ts');

const ID = { name: 'id', description: 'the entry, as `waymark memory list` names it' } as const;

/** Lists what a project's memory holds. */
export const memoryListCommand: Command = {
  name: 'memory list',
  group: 'Remember',
  summary: 'List what was learned, show it, change it, forget it',
  examples: ['waymark memory list', 'waymark memory list --kind skill --json', 'waymark memory list --bin'],
  places: [],
  options: [
    { name: 'kind', valueName: 'kind', description: 'only this kind', choices: ENTRY_KINDS },
    { name: 'limit', valueName: 'count', description: 'at most this many (default: 50)' },
    { name: 'bin', description: 'what was deleted and can be taken back' },
  ],
  async run({ services, output }, _argument, options) {
    const { memory, detector } = await services();
    const store = await memory.storeOf(await projectRoot(detector, undefined));
    const kind = ENTRY_KINDS.find((known) => known === options['kind']);
    const found = await store.list({
      limit: toCount(options['limit'], 50),
      inBin: options['bin'] === true,
      ...(kind === undefined ? {} : { kinds: [kind] }),
    });
    const entries = found.map(({ entry }) => entry);
    output.answer(entries.length === 0 ? 'Nothing here.' : entries.map(entryLine).join('\n'), entries);
  },
};

export const memoryShowCommand: Command = {
  name: 'memory show',
  group: 'Remember',
  summary: 'Print an entry with everything that is kept of it',
  examples: ['waymark memory show cp-0123456789ab', 'waymark memory show cp-0123456789ab --versions --json'],
  places: [],
  argument: ID,
  options: [{ name: 'versions', description: 'earlier versions too, the latest first' }],
  async run({ services, output }, argument, options) {
    const id = needed(argument, 'memory show', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const root = await projectRoot(detector, undefined);
    const { entry, deletedAt } = await memory.get(root, id);
    const versions = options['versions'] === true ? await (await memory.storeOf(root)).versions(id) : [];
    output.answer([entry, ...versions].map(entryText).join('\n\n'), {
      ...entry,
      deletedAt: deletedAt ?? null,
      versions,
    });
  },
};

export const memoryDeleteCommand: Command = {
  name: 'memory delete',
  group: 'Remember',
  summary: 'Move an entry to the bin, where it stays for 30 days',
  examples: ['waymark memory delete cp-0123456789ab'],
  places: [],
  argument: ID,
  async run({ services, output }, argument) {
    const { deleteEntries } = await loadMemory();
    const id = needed(argument, 'memory delete', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const root = await projectRoot(detector, undefined);
    await memory.get(root, id);
    const removed = await deleteEntries(memory, root, [id], CLI_WRITER);
    output.answer(
      `${escapeControl(id)} is in the bin. \`waymark memory undo ${escapeControl(id)}\` takes it back.`,
      { removed },
    );
  },
};

export const memoryUndoCommand: Command = {
  name: 'memory undo',
  group: 'Remember',
  summary: 'Take an entry back out of the bin',
  examples: ['waymark memory undo cp-0123456789ab'],
  places: [],
  argument: ID,
  async run({ services, output }, argument) {
    const { undoDelete } = await loadMemory();
    const id = needed(argument, 'memory undo', 'cp-0123456789ab');
    const { memory, detector } = await services();
    await undoDelete(memory, await projectRoot(detector, undefined), id, CLI_WRITER);
    output.answer(`${escapeControl(id)} is back.`, { restored: id });
  },
};

export const memoryLogCommand: Command = {
  name: 'memory log',
  group: 'Remember',
  summary: 'Say who changed what, the latest first',
  examples: ['waymark memory log', 'waymark memory log --limit 200 --json'],
  places: [],
  options: [{ name: 'limit', valueName: 'count', description: 'at most this many (default: 50)' }],
  async run({ services, output }, _argument, options) {
    const { memory, detector } = await services();
    const store = await memory.storeOf(await projectRoot(detector, undefined));
    const changes = await store.log(toCount(options['limit'], 50));
    const lines = changes.map(({ at, action, entryId, name, by }) =>
      escapeControl(
        `${new Date(at).toISOString().slice(0, 19)}  ${action.padEnd(7)}  ${entryId}  ${name}  (${by})`,
      ),
    );
    output.answer(lines.length === 0 ? 'Nothing was saved yet.' : lines.join('\n'), changes);
  },
};
