import { readEnvironment } from '../../config/index.ts';
import { workingDirectory } from '../../platform/index.ts';
import type { Command } from '../command.ts';
import { serveStdio } from '../serve-stdio.ts';

/** Shows what a client really sends, in place of `waymark mcp`. */
export const probeCommand: Command = {
  name: 'probe',
  group: 'See what Waymark sees',
  summary: 'Print what a client sends when it connects, for bug reports',
  examples: ['claude mcp add waymark-probe -- waymark probe', 'waymark probe 2> report.txt'],
  places: [],
  async run(context) {
    const [{ createProbe }, { reportVariables }] = await Promise.all([
      import('../../mcp/index.ts'),
      import('../../project/index.ts'),
    ]);
    const env = readEnvironment();
    const probe = createProbe({
      version: context.version,
      cwd: workingDirectory(),
      variableNames: Object.keys(env),
      variables: reportVariables(env),
      say: (line) => context.output.talk(line),
    });
    await serveStdio(context, probe);
  },
};
