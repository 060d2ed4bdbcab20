import { join } from 'node:path';
import { readOrCreateSecret, replaceSecret, systemIds } from '../../platform/index.ts';
import type { Command } from '../command.ts';

/** Prints the token of this installation, which `serve --require-token` asks for. */
export const tokenCommand: Command = {
  name: 'token',
  group: 'Set up',
  summary: 'Print the token that `serve --require-token` asks clients for',
  examples: ['waymark token', 'waymark token --rotate'],
  places: [],
  options: [{ name: 'rotate', description: 'make a new token; the old one ends when servers restart' }],
  async run({ resolved, output }, _argument, options) {
    const file = join(resolved.config.dataDir, 'token');
    const token =
      options['rotate'] === true ? replaceSecret(file, systemIds) : readOrCreateSecret(file, systemIds);
    output.answer(token, { token, file });
  },
};
