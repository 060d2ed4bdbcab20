/** Commands that find, show and change entries of the memory. */
import { ENTRY_KINDS } from '../../core/index.ts';
import type { Recalled, Resumed } from '../../memory/index.ts';
import type { MemoryEntry } from '../../storage/index.ts';
import { escapeControl, escapeControlKeepingLines } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { needed, toCount } from '../options.ts';
import { renderTime } from '../look/times.ts';
import { fit, wrap } from '../look/width.ts';
import { memoryRoot } from '../memory-root.ts';
import { entryRow, timelineOf } from '../memory-table.ts';
import { projectRoot } from '../project.ts';

/** Loaded by the command that needs it. */
const loadMemory = () => import('../../memory/index.ts');

const ID = { name: 'id', description: 'the entry, as `waymark memory list` names it' } as const;

/** Lists what a project's memory holds. */
export const memoryListCommand: Command = {
  name: 'memory list',
  family: 'List what was learned, show it, change it, forget it',
  group: 'Remember',
  summary: 'List what was learned, the latest first',
  examples: ['waymark memory list', 'waymark memory list --kind skill --json', 'waymark memory list --bin'],
  options: [
    { name: 'kind', valueName: 'kind', description: 'only this kind', choices: ENTRY_KINDS },
    { name: 'limit', valueName: 'count', description: 'at most this many (default: 50)' },
    { name: 'bin', description: 'what was deleted and can be taken back' },
    { name: 'person', description: 'what is known of you, in every project' },
  ],
  async run({ services, output }, _argument, options) {
    const { memory, detector } = await services();
    const { root } = await memoryRoot({ memory, detector });
    const store = options['person'] === true ? await memory.storeOfPerson() : await memory.storeOf(root);
    const kind = ENTRY_KINDS.find((known) => known === options['kind']);
    const found = await store.list({
      limit: toCount(options['limit'], 50),
      inBin: options['bin'] === true,
      ...(kind === undefined ? {} : { kinds: [kind] }),
    });
    const entries = found.map(({ entry }) => entry);
    output.answer(
      entries.length === 0
        ? 'Nothing here.'
        : entries.map((entry) => entryRow(entry, output.window?.columns)).join('\n'),
      entries,
    );
  },
};

export const memoryShowCommand: Command = {
  name: 'memory show',
  group: 'Remember',
  summary: 'Print an entry with everything that is kept of it',
  examples: ['waymark memory show cp-0123456789ab', 'waymark memory show cp-0123456789ab --versions --json'],
  argument: ID,
  options: [{ name: 'versions', description: 'earlier versions too, the latest first' }],
  async run({ services, output }, argument, options) {
    const id = needed(argument, 'memory show', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const { root } = await memoryRoot({ memory, detector });
    const { entry, deletedAt } = await memory.get(root, id);
    const versions =
      options['versions'] === true ? await (await memory.storeWith(root, id)).versions(id) : [];
    output.answer([entry, ...versions].map(entryText).join('\n\n'), {
      ...entry,
      deletedAt: deletedAt ?? null,
      versions,
    });
  },
};

export const memoryForgetCommand: Command = {
  name: 'memory forget',
  group: 'Remember',
  summary: 'Move an entry to the bin, where it stays for 30 days',
  examples: ['waymark memory forget fact-0123456789ab'],
  argument: ID,
  async run({ services, output }, argument) {
    const { deleteEntries } = await loadMemory();
    const id = needed(argument, 'memory forget', 'fact-0123456789ab');
    const { memory, detector } = await services();
    const { root, done } = await memoryRoot({ memory, detector });
    await memory.get(root, id);
    const removed = await deleteEntries(memory, root, [id], CLI_WRITER);
    await done();
    output.answer(
      `${escapeControl(id)} is in the bin. \`waymark memory undo ${escapeControl(id)}\` takes it back.`,
      { removed },
    );
  },
};

/** The same, as it was called first. */
export const memoryDeleteCommand: Command = {
  ...memoryForgetCommand,
  name: 'memory delete',
  examples: ['waymark memory delete cp-0123456789ab'],
};

export const memoryUndoCommand: Command = {
  name: 'memory undo',
  group: 'Remember',
  summary: 'Take an entry back out of the bin, or take back its last change',
  examples: ['waymark memory undo cp-0123456789ab'],
  argument: ID,
  async run({ services, output }, argument) {
    const { undoChange } = await loadMemory();
    const id = needed(argument, 'memory undo', 'cp-0123456789ab');
    const { memory, detector } = await services();
    const { root, done } = await memoryRoot({ memory, detector });
    const { kind, entry } = await undoChange(memory, root, id, CLI_WRITER);
    await done();
    output.answer(
      kind === 'restored'
        ? `${escapeControl(id)} is back.`
        : `${escapeControl(id)} says again what it said before: it is at version ${entry.version} now.`,
      { [kind]: id },
    );
  },
};

export const memoryLogCommand: Command = {
  name: 'memory log',
  group: 'Remember',
  summary: 'Say who changed what, the latest first',
  examples: ['waymark memory log', 'waymark memory log --limit 200 --json'],
  options: [{ name: 'limit', valueName: 'count', description: 'at most this many (default: 50)' }],
  async run({ services, output }, _argument, options) {
    const { memory, detector } = await services();
    const store = await memory.storeOf(await projectRoot(detector));
    const changes = await store.log(toCount(options['limit'], 50));
    const columns = output.window?.columns;
    const lines = changes.map(({ at, action, entryId, name, by }) => {
      const line = escapeControl(
        `${renderTime(at)}  ${action.padEnd(7)}  ${entryId.padEnd(18)}  ${name}  (${by})`,
      );
      return columns === undefined ? line : fit(line, columns, 'end');
    });
    output.answer(lines.length === 0 ? 'Nothing was saved yet.' : lines.join('\n'), changes);
  },
};

/** What happened to the memory, by day. */
export const memoryTimelineCommand: Command = {
  name: 'memory timeline',
  group: 'Remember',
  summary: 'What was learned and done, by day, the latest first',
  examples: ['waymark memory timeline', 'waymark memory timeline --limit 200 --json'],
  options: [{ name: 'limit', valueName: 'count', description: 'at most this many (default: 50)' }],
  async run({ services, output }, _argument, options) {
    const { memory, detector } = await services();
    const { root } = await memoryRoot({ memory, detector });
    const found = await memory.list(root, { limit: toCount(options['limit'], 50) });
    const entries = found.map(({ entry }) => entry);
    const text = timelineOf(entries, (day) => output.paint.bold(day), output.window?.columns);
    output.answer(entries.length === 0 ? 'Nothing was saved yet.' : text, entries);
  },
};

/** One search over everything that was learned. */
export const recallCommand: Command = {
  name: 'recall',
  group: 'Remember',
  summary: 'Find what was learned; without words, where the work stands',
  examples: [
    'waymark recall',
    'waymark recall retry of failed uploads',
    'waymark recall "EADDRINUSE" --kind remediation --all-projects',
  ],
  argument: {
    name: 'question',
    description:
      'what you look for, in any words, or an error message; words need no quotes; without any the last checkpoint',
    many: true,
  },
  options: [
    { name: 'kind', valueName: 'kind', description: 'only this kind', choices: ENTRY_KINDS },
    { name: 'limit', valueName: 'count', description: 'at most this many (default: 5)' },
    { name: 'all-projects', description: 'look into the memories of all your projects' },
  ],
  async run({ services, output, words }, _argument, options) {
    const { memory, detector } = await services();
    const kind = ENTRY_KINDS.find((known) => known === options['kind']);
    const { root } = await memoryRoot({ memory, detector });
    const question = words.join(' ');
    if (question === '') {
      if (Object.keys(options).some((name) => ['kind', 'limit', 'all-projects'].includes(name)))
        needed(undefined, 'recall', '"what you look for"');
      const resumed = await memory.resume(root);
      output.answer(resumed === undefined ? NO_CHECKPOINT : resumedText(resumed), resumed ?? null);
      return resumed === undefined ? 1 : 0;
    }
    const { hits, nearest } = await memory.recall(root, {
      text: question,
      kinds: kind === undefined ? ENTRY_KINDS.filter((known) => known !== 'collection') : [kind],
      limit: toCount(options['limit'], 5),
      scope: options['all-projects'] === true ? 'all' : 'project',
    });
    const columns = output.window?.columns;
    const blocks = hits.map(({ entry, score, reasons, elsewhere, stale }) => {
      const from = elsewhere === undefined ? '' : `; from ${elsewhere}`;
      const why = `${score.toFixed(2)}: ${reasons.join('; ')}${from}${staleNote(stale)}`;
      const [summary = ''] = entry.summary.split('\n');
      const below = [why, ...(summary === entry.name ? [] : [summary])].map(
        (line) => `  ${wrap(line, '    ', columns ?? Infinity)}`,
      );
      return [entryRow(entry, columns), ...below].join('\n');
    });
    const places = nearest.map(({ id, name }) => `  ${id}  ${escapeControl(name)}`);
    const nothing = [
      'Nothing was learned about that.',
      ...(places.length === 0 ? [] : ['The nearest:', ...places]),
    ];
    output.answer(
      escapeControlKeepingLines(hits.length === 0 ? nothing.join('\n') : blocks.join('\n\n')),
      hits,
    );
    return hits.length === 0 ? 1 : 0;
  },
};

const NO_CHECKPOINT =
  'No checkpoint yet. `waymark remember "Half way. Next: the tests." --checkpoint` keeps one.';

/** The last checkpoint of the branch, and which of its files have changed since. */
function resumedText({ entry, files }: Resumed): string {
  const changed = files.filter(({ state }) => state !== 'unchanged');
  const note = changed.map(({ path, state }) => `${path} (${state})`).join(', ');
  return [entryText(entry), ...(note === '' ? [] : ['', escapeControl(`changed since: ${note}`)])].join('\n');
}

function staleNote(stale: Recalled['stale']): string {
  const paths = stale === undefined ? [] : [...stale.gone, ...stale.lost, ...stale.changed];
  return paths.length === 0 ? '' : `; changed since: ${paths.join(', ')}`;
}

export const CLI_AUTHOR = { origin: 'typed', client: 'waymark', tool: 'cli' } as const;
const CLI_WRITER = 'typed: waymark';

function entryLine({ id, kind, name, createdAt, provenance, flags }: MemoryEntry): string {
  const { origin, client, branch = '-' } = provenance;
  const time = renderTime(createdAt);
  const warning = flags.length === 0 ? '' : `  [${flags.join(', ')}]`;
  return escapeControl(`${id}  ${time}  ${kind}  ${branch}  ${origin}:${client}  ${name}${warning}`);
}

function entryText(entry: MemoryEntry): string {
  // When a hook read the session is for hooks.
  const fields = Object.entries(entry.fields)
    .filter(([name]) => name !== 'read_at')
    .map(([name, text]) => `${name}: ${text}`);
  const files = entry.files.map(({ path }) => path).join(', ');
  return escapeControlKeepingLines(
    [
      entryLine(entry),
      ...(entry.summary === '' ? [] : [`summary: ${entry.summary}`]),
      ...(entry.tags.length === 0 ? [] : [`tags: ${entry.tags.join(', ')}`]),
      ...(files === '' ? [] : [`files: ${files}`]),
      ...fields,
      '',
      entry.content,
    ].join('\n'),
  );
}
