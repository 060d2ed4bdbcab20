import { resolve } from 'node:path';
import { escapeControl } from '../../text/index.ts';
import type { Command } from '../command.ts';
import { projectRoot } from '../project-root.ts';

/** Deletes the index of a project. */
export const clearCommand: Command = {
  name: 'clear',
  group: 'See what Waymark sees',
  summary: 'Delete the index of a project; its files and memory stay',
  examples: ['waymark clear', 'waymark clear ~/code/web-shop'],
  places: [],
  argument: { name: 'path', description: 'the project; the one you are in if left out' },
  async run({ services, output }, argument) {
    const { indexing, detector } = await services();
    const root = await projectRoot(detector, argument === undefined ? undefined : resolve(argument));
    const cleared = await indexing.clear(root);
    const text = cleared
      ? `${root}: index deleted; no file of the project was touched`
      : `${root}: there is no index`;
    output.answer(escapeControl(text), { root, cleared });
  },
};
