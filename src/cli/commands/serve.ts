import type { Command } from '../command.ts';
import { serveHttp } from '../serve-http.ts';

/** Serves any number of clients over HTTP until it is told to stop. */
export const serveCommand: Command = {
  name: 'serve',
  group: 'Connect an agent',
  summary: 'Serve many clients over HTTP on one address',
  examples: ['waymark serve --project-from-cwd', 'waymark serve --port 8080 --require-token'],
  places: ['serve'],
  run: (context) => serveHttp(context),
};
