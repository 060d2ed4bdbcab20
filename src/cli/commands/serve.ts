import type { Command } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';

/** Serves any number of clients over HTTP until it is told to stop. */
export const serveCommand: Command = {
  name: 'serve',
  group: 'Connect an agent',
  summary: 'Serve many clients over HTTP on one address',
  examples: ['waymark serve --project-from-cwd', 'waymark serve --port 8080'],
  places: ['serve'],
  async run({ services, stop, output }) {
    const { servers, logger, config } = await services();
    const [factory, { createHttpHandler }, { openListener }] = await Promise.all([
      servers(),
      import('../../mcp/index.ts'),
      import('../../http/index.ts'),
    ]);
    const handler = createHttpHandler(factory, logger);
    const listener = await openListener({ handler, host: config.host, port: config.port, logger });
    const paste = `claude mcp add --transport http waymark ${listener.url}`;
    output.answer(
      [
        `Waymark is serving ${listener.url}`,
        '',
        'Connect a client by pasting:',
        `  ${paste}`,
        '',
        'Stop with Ctrl-C.',
      ].join('\n'),
      { url: listener.url, paste },
    );
    await untilStopped(stop);
    await listener.close();
  },
};
