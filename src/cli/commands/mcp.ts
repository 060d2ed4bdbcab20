import type { Command } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';

/** Serves one client over stdio until it goes away. */
export const mcpCommand: Command = {
  name: 'mcp',
  group: 'Connect an agent',
  summary: 'Serve one client over standard input and output (clients start this themselves)',
  examples: ['claude mcp add waymark -- waymark mcp'],
  places: ['mcp'],
  async run({ services, stop }) {
    const { servers, logger } = await services();
    const [factory, { openStdio }] = await Promise.all([servers(), import('../../mcp/index.ts')]);
    const connection = openStdio({ factory, logger });
    await Promise.race([connection.ended, untilStopped(stop)]);
    await connection.close();
  },
};
