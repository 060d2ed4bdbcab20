import { resolve } from 'node:path';
import { openTextFolder } from '../../platform/index.ts';
import { countOf, escapeControl } from '../../text/index.ts';
import type { LinkReport } from '../../memory/index.ts';
import type { Command } from '../command.ts';
import { needed } from '../options.ts';
import { projectRoot } from '../project.ts';

/** Loaded by the command that needs it. */
const loadMemory = () => import('../../memory/index.ts');

const OTHER = { name: 'path', description: 'the other project' } as const;
const FOLDER = { name: 'folder', description: 'where the files are' } as const;

export const memoryLinkCommand: Command = {
  name: 'memory link',
  group: 'Remember',
  summary: 'Share the memory of another clone, or keep it as Markdown in the repository',
  examples: ['waymark memory link ../web-shop', 'waymark memory link --files', 'waymark memory link --undo'],
  argument: OTHER,
  options: [
    { name: 'files', description: 'keep .waymark/memory/*.md in step with the memory, both ways' },
    { name: 'undo', description: 'end that; with --files the files stay as they are' },
  ],
  async run({ services, output }, argument, options) {
    const { linkFiles, linkTo, syncIfLinked, unlink } = await loadMemory();
    const { memory, detector } = await services();
    const root = await projectRoot(detector);
    if (options['files'] === true) {
      const isOn = options['undo'] !== true;
      await linkFiles(memory, root, isOn);
      const report = isOn ? await syncIfLinked(memory, root) : undefined;
      output.answer(
        isOn
          ? renderLinked(report)
          : 'The files in .waymark/memory are no longer kept in step; they stay as they are.',
        { linked: isOn, ...report },
      );
      return;
    }
    if (options['undo'] === true) {
      const wasLinked = await unlink(memory, root);
      output.answer(
        wasLinked ? 'This project has a memory of its own again.' : 'This project shares no memory.',
        { unlinked: wasLinked },
      );
      return;
    }
    const other = await projectRoot(detector, needed(argument, 'memory link', '../web-shop'));
    const shared = await linkTo(memory, root, other);
    output.answer(
      `This project shares the memory of ${escapeControl(other)} now; ${countOf(shared.copied, 'entry', 'entries')} went along.`,
      shared,
    );
  },
};

function renderLinked(report: LinkReport | undefined): string {
  return report === undefined
    ? '.waymark/memory and the memory are kept in step from now on, by the main worktree and by processes that run.'
    : `.waymark/memory and the memory are in step now: ${renderReport(report)}.`;
}

function renderReport({ written, taken, deleted, conflicts }: LinkReport): string {
  return [
    `${countOf(written, 'file')} written`,
    `${countOf(taken, 'edit')} taken over`,
    ...(deleted === 0 ? [] : [`${deleted} deleted`]),
    ...(conflicts === 0 ? [] : [`${countOf(conflicts, 'conflict')} kept as two entries`]),
  ].join(', ');
}

export const memoryMoveCommand: Command = {
  name: 'memory move',
  group: 'Remember',
  summary: 'Keep the memory of a project that was somewhere else before',
  examples: ['waymark memory move /home/me/old-place/web-shop'],
  argument: { name: 'path', description: 'where the project was' },
  async run({ services, output }, argument) {
    const { moveFrom } = await loadMemory();
    const old = resolve(needed(argument, 'memory move', '/home/me/old-place/web-shop'));
    const { memory, detector } = await services();
    const shared = await moveFrom(memory, await projectRoot(detector), old);
    output.answer(`The memory of ${escapeControl(old)} belongs to this project now.`, shared);
  },
};

export const memoryMergeCommand: Command = {
  name: 'memory merge',
  group: 'Remember',
  summary: 'Copy what another project has learned into this one',
  examples: ['waymark memory merge ../web-shop'],
  argument: OTHER,
  async run({ services, output }, argument) {
    const { mergeFrom } = await loadMemory();
    const { memory, detector } = await services();
    const other = await projectRoot(detector, needed(argument, 'memory merge', '../web-shop'));
    const shared = await mergeFrom(memory, await projectRoot(detector), other);
    output.answer(
      `${countOf(shared.copied, 'entry', 'entries')} of ${escapeControl(other)} ${shared.copied === 1 ? 'was' : 'were'} copied.`,
      shared,
    );
  },
};

export const memoryExportCommand: Command = {
  name: 'memory export',
  group: 'Remember',
  summary: 'Write the memory to a folder of Markdown files',
  examples: ['waymark memory export .waymark/memory', 'waymark memory export .agents/skills --skills'],
  argument: FOLDER,
  options: [{ name: 'skills', description: 'only skills, each as NAME/SKILL.md' }],
  async run({ services, output }, argument, options) {
    const { exportMemory, exportSkills } = await loadMemory();
    const folder = resolve(needed(argument, 'memory export', 'FOLDER'));
    const { memory, detector } = await services();
    const root = await projectRoot(detector);
    const write = options['skills'] === true ? exportSkills : exportMemory;
    const count = await write(memory, root, openTextFolder(folder, root));
    output.answer(`${countOf(count, 'entry is', 'entries are')} in ${escapeControl(folder)}.`, {
      folder,
      count,
    });
  },
};

export const memoryImportCommand: Command = {
  name: 'memory import',
  group: 'Remember',
  summary: 'Read a folder of exported files or of SKILL.md files',
  examples: ['waymark memory import .waymark/memory', 'waymark memory import .agents/skills'],
  argument: FOLDER,
  async run({ services, output }, argument) {
    const { importMemory } = await loadMemory();
    const folder = resolve(needed(argument, 'memory import', 'FOLDER'));
    const { memory, detector } = await services();
    const author = { origin: 'imported', client: 'waymark', tool: 'memory import', source: folder } as const;
    const report = await importMemory(memory, await projectRoot(detector), openTextFolder(folder), author);
    const ignored = report.ignored.map((path) => `  no entry: ${escapeControl(path)}`);
    output.answer(
      [
        `${countOf(report.added, 'entry', 'entries')} added, ${countOf(report.known, 'was', 'were')} there already.`,
        ...ignored,
      ].join('\n'),
      report,
    );
  },
};

export const memoryForgetOriginCommand: Command = {
  name: 'memory forget-origin',
  group: 'Remember',
  summary: 'Forget everything an origin wrote',
  examples: [
    'waymark memory forget-origin some-client',
    'waymark memory forget-origin imported --all-projects --for-good',
  ],
  argument: {
    name: 'origin',
    description: 'agent, typed, imported, a client, or a folder that was imported',
  },
  options: [
    { name: 'all-projects', description: 'in the memories of all your projects' },
    { name: 'for-good', description: 'out of the bin as well: nothing of it can be taken back' },
  ],
  async run({ services, output }, argument, options) {
    const { forgetOrigin } = await loadMemory();
    const origin = needed(argument, 'memory forget-origin', 'some-client');
    const { memory, detector } = await services();
    const forgotten = await forgetOrigin(memory, await projectRoot(detector), origin, {
      everywhere: options['all-projects'] === true,
      forGood: options['for-good'] === true,
    });
    const count = forgotten.reduce((sum, { ids }) => sum + ids.length, 0);
    const back = forgotten.reduce((sum, { restored }) => sum + restored.length, 0);
    const others = back === 0 ? '' : ` ${back} of others that it had edited are as they were before.`;
    output.answer(
      `${countOf(count, 'entry', 'entries')} of ${escapeControl(origin)} ${count === 1 ? 'was' : 'were'} forgotten.${others}`,
      forgotten,
    );
  },
};
