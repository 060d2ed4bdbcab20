import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { serveHttp } from '../serve-http.ts';

/** Serves any number of clients over HTTP until it is told to stop. */
export const serveCommand: Command = {
  name: 'serve',
  group: 'Connect an agent',
  summary: 'Serve many clients over HTTP on one address',
  examples: ['waymark serve', 'waymark serve /home/me/web-shop', 'waymark serve --port 8080 --require-token'],
  places: ['serve'],
  argument: { name: 'path', description: 'the project of clients that name none' },
  run: (context, path) => serveHttp(context, { project: path === undefined ? undefined : resolve(path) }),
};
