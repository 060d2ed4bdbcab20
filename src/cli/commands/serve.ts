/** Commands that serve: over stdio, over HTTP, and the probe in place of a server. */
import { resolve } from 'node:path';
import type { Config } from '../../config/index.ts';
import type { Probe } from '../../mcp/index.ts';
import { parentGone, workingDirectory } from '../../platform/index.ts';
import { wrap } from '../look/width.ts';
import { untilStopped, type Command, type CommandContext } from '../command.ts';

/** Serves one client over stdio until it goes away. */
export const mcpCommand: Command = {
  name: 'mcp',
  serves: true,
  group: 'Connect an agent',
  summary: 'Serve one client over stdio; clients start this themselves',
  examples: ['claude mcp add waymark -- waymark mcp'],
  places: ['mcp'],
  main: ['toolsets', 'auto-index', 'watch', 'log-level', 'log-file'],
  run(context) {
    if (context.isTyped()) context.output.talk(wrap(WAITS, ''));
    return serveStdio(context);
  },
};

/** On a terminal, where an agent does not start this. */
const WAITS =
  'Waiting for an MCP client on standard input: agents start this by themselves, and `waymark setup` tells yours how. Ctrl-C stops.';
const PROBE_WAITS =
  'Waiting for an MCP client on standard input. Put `waymark probe` in place of `waymark mcp` in the client to see what it sends. Ctrl-C stops.';

/** The same servers by transport, for people who know other MCP servers' command lines. */
export const mcpServeCommand: Command = {
  name: 'mcp serve',
  serves: true,
  group: 'Connect an agent',
  summary: 'Serve over the transport you name',
  examples: ['waymark mcp serve --transport http', 'waymark mcp serve --transport sse --port 8080'],
  places: ['serve', 'mcp'],
  main: ['transport', 'port', 'host', 'require-token', 'project-from-cwd', 'json'],
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
    return mcpCommand.run(context, undefined, options);
  },
};

/** Serves any number of clients over HTTP until it is told to stop. */
export const serveCommand: Command = {
  name: 'serve',
  serves: true,
  group: 'Connect an agent',
  summary: 'Serve many clients over HTTP on one address',
  examples: ['waymark serve', 'waymark serve /home/me/web-shop', 'waymark serve --port 8080 --require-token'],
  places: ['serve'],
  main: ['port', 'host', 'require-token', 'token-file', 'project-from-cwd', 'ui'],
  argument: { name: 'path', description: 'the project of clients that name none' },
  run: (context, path) => serveHttp(context, { project: path === undefined ? undefined : resolve(path) }),
};

/** Shows what a client really sends, in place of `waymark mcp`. */
export const probeCommand: Command = {
  name: 'probe',
  hidden: true,
  serves: true,
  group: 'See what Waymark sees',
  summary: 'Print what a client sends when it connects, for bug reports',
  examples: ['claude mcp add waymark-probe -- waymark probe', 'waymark probe 2> report.txt'],
  async run(context) {
    const [{ createProbe }, { reportVariables }] = await Promise.all([
      import('../../mcp/index.ts'),
      import('../../project/index.ts'),
    ]);
    if (context.isTyped()) context.output.talk(wrap(PROBE_WAITS, ''));
    const { env } = context;
    const probe = createProbe({
      version: context.version,
      cwd: workingDirectory(),
      variableNames: Object.keys(env),
      variables: reportVariables(env),
      say: (line) => context.output.talk(context.isTyped() ? wrap(line, '  ') : line),
    });
    await serveStdio(context, probe);
  },
};

/** Until the client goes away or we are told to stop. With a probe, the client talks to that instead of Waymark itself. */
export async function serveStdio(
  { front, stop }: Pick<CommandContext, 'front' | 'stop'>,
  probe?: Probe,
): Promise<void> {
  const { openStdio } = await front();
  const connection = await openStdio({ factory: probe?.factory, parentGone, observe: probe?.observe });
  await Promise.race([connection.ended, untilStopped(stop)]);
  await connection.close();
}

export interface ServeOptions {
  /** The address to name to clients; Streamable HTTP's by default. */
  readonly path?: '/mcp' | '/sse';
  /** The project of clients that name none: an absolute path. */
  readonly project?: string | undefined;
  /** Serves the page, whatever the settings say; told of a link to it. */
  readonly onPage?: (url: string) => Promise<void>;
}

/** Until we are told to stop; says how to connect. */
export async function serveHttp(
  { front, stop, output }: CommandContext,
  { path = '/mcp', project, onPage }: ServeOptions = {},
): Promise<void> {
  const { listen, config } = await front({ project, ui: onPage && true });
  const listener = await listen();
  const url = listener.url.replace(/\/mcp$/, path);
  const { paste, address, served, needsVariable } = await listener.connect(path);
  const page = listener.newPageUrl?.();
  output.answer(
    [
      `Waymark is serving ${url}`,
      ...(page === undefined ? [] : ['', 'Its page, for your browser; the link works once:', `  ${page}`]),
      ...(served.kind === 'default'
        ? [...(page === undefined ? [] : ['']), `Clients that name no project work on ${served.words}.`]
        : []),
      '',
      'Connect a client by pasting:',
      `  ${paste}`,
      ...(needsVariable ? ['where WAYMARK_TOKEN holds the token that this server was given.'] : []),
      ...(served.kind === 'none'
        ? [
            wrap('A client that does not tell which folder is open needs the project in the address:', ''),
            `  ${address}?project_path=/path/to/project`,
          ]
        : []),
      '',
      ...(config.rest
        ? [`Plain HTTP at ${listener.clientUrl}/…, with ${renderAskedToken(config)}.`, '']
        : []),
      'Stop with Ctrl-C.',
    ].join('\n'),
    {
      url,
      paste,
      project: served.kind === 'none' ? null : served.root,
      ...(page === undefined ? {} : { page }),
    },
  );
  if (page !== undefined) await onPage?.(page);
  await untilStopped(stop);
  await listener.close();
}

/** What plain HTTP asks for. */
function renderAskedToken({ token, tokenFile, requireToken, oauthIssuer }: Config): string {
  if (token !== undefined || tokenFile !== undefined) return 'the token that this server was given';
  return oauthIssuer !== undefined && !requireToken
    ? 'a token of the issuer, or one of `waymark token create`'
    : 'the token that `waymark token` prints';
}
