import { join, resolve } from 'node:path';
import { AppError } from '../../core/index.ts';
import { pathExists, readableNames } from '../../platform/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { needed } from '../options.ts';

/** Loaded by the command that needs it. */
const loadMemory = () => import('../../memory/index.ts');

/** Copies every memory while others may go on writing. */
export const backupCommand: Command = {
  name: 'backup',
  group: 'Remember',
  summary: 'Copy all memories to a folder, while they are in use',
  examples: ['waymark backup', 'waymark backup /media/stick/waymark'],
  argument: { name: 'folder', description: 'a new folder; one with the time as its name if left out' },
  async run({ services, output }, argument) {
    const { backUp } = await loadMemory();
    const { memory, config } = await services();
    const folder = argument === undefined ? stamped(config.dataDir, memory.clock.now()) : resolve(argument);
    if (readableNames(folder).length > 0)
      throw new AppError('bad_argument', `The folder ${folder} is not empty.`, {
        hint: 'Name a new folder.',
      });
    const names = await backUp(memory, folder);
    output.answer(`${countOf(names.length, 'memory is', 'memories are')} in ${escapeControl(folder)}.`, {
      folder,
      memories: names,
    });
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  group: 'Remember',
  summary: 'Put a backup in place of what is there now',
  examples: ['waymark restore ~/.local/share/waymark/backups/20260131T235959Z'],
  argument: { name: 'folder', description: 'a folder that `waymark backup` wrote' },
  async run({ services, output }, argument) {
    const { restore } = await loadMemory();
    const folder = resolve(needed(argument, 'restore', 'FOLDER'));
    const { memory, config } = await services();
    const databases = readableNames(folder).filter((name) => name.endsWith('.db'));
    const names = databases.filter((name) => memory.spaces.isSpace(name.slice(0, -'.db'.length)));
    if (names.length === 0)
      throw new AppError('bad_argument', `There is no backup in ${folder}. Nothing was changed.`, {
        hint: 'Name a folder that `waymark backup` wrote.',
      });
    const safety = stamped(config.dataDir, memory.clock.now(), '-before-restore');
    const restored = await restore(memory, names, folder, safety);
    const lines = restored.map(
      ({ space, entries }) => `  ${escapeControl(space)}: ${countOf(entries, 'entry', 'entries')}`,
    );
    const ignored = databases.filter((name) => !names.includes(name));
    output.answer(
      [
        `${countOf(restored.length, 'memory was', 'memories were')} restored; what was there is in ${escapeControl(safety)}.`,
        ...lines,
        ...ignored.map((name) => `  not a memory, left out: ${escapeControl(name)}`),
      ].join('\n'),
      { safety, restored, ignored },
    );
  },
};

/** A folder that is not there yet, named by the time. */
function stamped(dataDir: string, now: number, suffix = ''): string {
  const wanted = join(
    dataDir,
    'backups',
    `${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}${suffix}`,
  );
  let folder = wanted;
  for (let count = 2; pathExists(folder); count += 1) folder = `${wanted}-${count}`;
  return folder;
}
