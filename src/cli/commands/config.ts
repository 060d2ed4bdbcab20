/** The command that prints what this installation is set to. */
import { readProjectConfig, renderConfig, renderConfigValue } from '../../config/index.ts';
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
