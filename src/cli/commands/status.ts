import type { Command } from '../command.ts';

/** Explains which project this directory belongs to, and how that is known. */
export const statusCommand: Command = {
  name: 'status',
  group: 'See what Waymark sees',
  summary: 'Say which project this is and how Waymark knows',
  examples: ['waymark status', 'waymark status --json'],
  places: ['mcp'],
  async run({ services, output }) {
    const { detector } = await services();
    const { renderProjectLine, renderReports } = await import('../../tools/index.ts');
    const detection = await detector.detect({ transport: 'cli', explain: true });
    output.answer(
      [renderProjectLine(detection), 'sources, most trusted first:', renderReports(detection)].join('\n'),
      detection,
    );
    return detection.kind === 'found' ? 0 : 1;
  },
};
