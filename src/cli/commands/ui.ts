/** The page: a link into a running server that serves it, or a server of its own. */
import { resolve } from 'node:path';
import { AppError } from '../../core/index.ts';
import { browserCommand, listServers, pageAddress, postJson, startDetached } from '../../platform/index.ts';
import type { Command, CommandContext } from '../command.ts';
import { wrap } from '../look/width.ts';
import { serveHttp } from './serve.ts';

const ASK_MS = 3_000;
const MOST_ANSWER_BYTES = 10_000;

export const uiCommand: Command = {
  name: 'ui',
  serves: true,
  main: ['open', 'port', 'host', 'log-level', 'json'],
  group: 'See what Waymark sees',
  summary: 'Open the page: projects, live calls, searches, coverage, memory',
  examples: ['waymark ui', 'waymark ui --open', 'waymark ui /home/me/web-shop --port 8080'],
  places: ['serve'],
  argument: { name: 'path', description: 'the project of clients that name none, if a server is started' },
  options: [{ name: 'open', description: 'open the link in your browser too' }],
  async run(context, path, options) {
    const show = async (url: string): Promise<void> => {
      if (options['open'] === true) await openInBrowser(url);
    };
    const running = await findPage(context);
    if (running === undefined)
      return serveHttp(context, { project: path === undefined ? undefined : resolve(path), onPage: show });
    const unused =
      path === undefined
        ? []
        : ['It runs already: choose the project on the page, or add --port for another server.'];
    context.output.answer(
      [
        `The server at ${running.server} has a page; this link works once:`,
        `  ${running.page}`,
        ...unused.map((line) => wrap(line, '', context.output.window?.columns)),
      ].join('\n'),
      running,
    );
    await show(running.page);
  },
};

/** A port or an address that was asked for is not answered with a server at another one. */
function isOther({ config, origins }: CommandContext['resolved'], server: string): boolean {
  if (!URL.canParse(server)) return true;
  const { hostname, port } = new URL(server);
  const isGiven = (key: 'port' | 'host'): boolean => origins[key].kind === 'flag';
  return (
    (isGiven('port') && String(config.port) !== port) ||
    (isGiven('host') && config.host !== hostname.replace(/^\[|\]$/g, ''))
  );
}

/** A server of this user that serves the page: it is asked for a link, with the key in its note. */
async function findPage({ resolved, stop }: CommandContext) {
  for (const { alive, ui, url: server } of listServers(resolved.config.dataDir)) {
    if (!alive || ui === undefined || isOther(resolved, server)) continue;
    const base = pageAddress({ url: server });
    const asked = await postJson(`${base}api/code`, {
      body: {},
      headers: { authorization: `Bearer ${ui}` },
      timeoutMs: ASK_MS,
      maxBytes: MOST_ANSWER_BYTES,
      signal: stop,
    });
    const body: unknown = asked.kind === 'answer' ? asked.body : undefined;
    const code: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'code') : undefined;
    if (typeof code === 'string') return { server, page: `${base}#code=${code}` };
  }
  return undefined;
}

async function openInBrowser(url: string): Promise<void> {
  const [program, ...args] = browserCommand(url);
  if (await startDetached(program, args)) return;
  throw new AppError('file_unavailable', 'No browser could be started.', {
    hint: 'Open the link by hand.',
  });
}
