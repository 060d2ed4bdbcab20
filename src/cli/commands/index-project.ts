import { resolve } from 'node:path';
import { readProjectConfig } from '../../config/index.ts';
import { AppError } from '../../core/index.ts';
import { escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { projectRoot } from '../project-root.ts';

/** Brings the index of a project up to date. */
export const indexCommand: Command = {
  name: 'index',
  group: 'See what Waymark sees',
  summary: 'Bring the index of a project up to date',
  examples: ['waymark index', 'waymark index ~/code/web-shop --exclude "*.snap"'],
  places: ['index'],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  async run({ services, output, resolved, stop }, argument) {
    const { indexing, detector } = await services();
    const root = await projectRoot(detector, argument === undefined ? undefined : resolve(argument));
    const { config } = readProjectConfig(resolved, root);
    const outcome = await indexing.run(root, {
      list: { include: config.include, exclude: config.exclude },
      languages: config.languages,
      signal: stop,
      onProgress: ({ done, total }) => {
        if (!output.json && total > 0) output.talk(`indexed ${done} of ${total} files`);
      },
    });
    if (outcome.kind === 'busy') {
      throw new AppError('storage_busy', `Another process is indexing ${root}.`, {
        hint: 'Wait for it to finish; the index it makes is this one.',
      });
    }
    const { indexed, renamed, removed, unchanged, skipped, ms } = outcome;
    output.answer(
      [
        `${escapeControl(root)}: ${indexed} indexed, ${renamed} renamed, ${removed} removed, ${unchanged} unchanged in ${ms} ms`,
        `${skipped} left out; \`waymark files\` says why`,
      ].join('\n'),
      { root, ...outcome },
    );
  },
};
