import type { Command } from '../command.ts';
import { serveStdio } from '../serve-stdio.ts';

/** Serves one client over stdio until it goes away. */
export const mcpCommand: Command = {
  name: 'mcp',
  group: 'Connect an agent',
  summary: 'Serve one client over stdio; clients start this themselves',
  examples: ['claude mcp add waymark -- waymark mcp'],
  places: ['mcp'],
  run: (context) => serveStdio(context),
};
