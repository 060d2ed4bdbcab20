/** Commands that print what this installation is set to: its settings and its token. */
import { join } from 'node:path';
import { readProjectConfig, renderConfig, renderConfigValue } from '../../config/index.ts';
import { readOrCreateSecret, replaceSecret, systemIds } from '../../platform/index.ts';
import type { Command } from '../command.ts';

/** Prints every setting with its value and where the value came from. */
export const configShowCommand: Command = {
  name: 'config show',
  paged: true,
  group: 'See what Waymark sees',
  summary: 'Print every setting, its value and where the value came from',
  examples: ['waymark config show', 'WAYMARK_PORT=8080 waymark config show --json'],
  places: ['serve', 'mcp', 'index'],
  async run({ resolved, output, services }) {
    const detection = await (await services()).detector.detect({ transport: 'cli' });
    const shown = detection.kind === 'found' ? readProjectConfig(resolved, detection.project.root) : resolved;
    output.answer(renderConfig(shown), renderConfigValue(shown));
  },
};

/** Prints the token of this installation, which `serve --require-token` asks for. */
export const tokenCommand: Command = {
  name: 'token',
  group: 'Set up',
  summary: 'Print the token that `serve --require-token` asks clients for',
  examples: ['waymark token', 'waymark token --rotate'],
  options: [{ name: 'rotate', description: 'make a new token; the old one ends when servers restart' }],
  async run({ resolved, output }, _argument, options) {
    const file = join(resolved.config.dataDir, 'token');
    const token =
      options['rotate'] === true ? replaceSecret(file, systemIds) : readOrCreateSecret(file, systemIds);
    output.answer(token, { token, file });
  },
};
