import type { Command } from '../command.ts';
import { serveHttp } from '../serve-http.ts';
import { serveStdio } from '../serve-stdio.ts';

/** The same servers by transport, for people who know other MCP servers' command lines. */
export const mcpServeCommand: Command = {
  name: 'mcp serve',
  group: 'Connect an agent',
  summary: 'Serve over the transport you name',
  examples: ['waymark mcp serve --transport http', 'waymark mcp serve --transport sse --port 8080'],
  places: ['serve', 'mcp'],
  options: [
    {
      name: 'transport',
      valueName: 'transport',
      description: 'how clients connect',
      choices: ['stdio', 'http', 'sse'],
    },
  ],
  async run(context, _argument, options) {
    if (options['transport'] === 'http') return serveHttp(context);
    if (options['transport'] === 'sse') return serveHttp(context, { path: '/sse' });
    return serveStdio(context);
  },
};
