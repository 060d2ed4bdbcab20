/** One server under test, in a process of its own: says where it listens, then its CPU time whenever it is asked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createApp } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/index.ts';
import { createServerFactory } from '../../src/mcp/index.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

const DESCRIPTION = 'Says what it was told.';
const input = z.object({ text: z.string().max(1_000) });

/** What our own tools go through, without a project to detect. */
const echo = defineTool({
  name: 'echo',
  toolset: 'project',
  scope: 'search',
  title: 'Echo',
  description: DESCRIPTION,
  input,
  output: z.object({ text: z.string() }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  project: 'none',
  example: { text: 'hello' },
  run: async ({ text }) => ({ text, structured: { text } }),
});

/** The same as the SDK's documentation writes it. */
function bareServer(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool('echo', { description: DESCRIPTION, inputSchema: input }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  return server;
}

/** A link to the page, where it is served. */
let newPageUrl: (() => string) | undefined;

async function startWaymark({ ui }: { readonly ui: boolean }): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const { config } = resolveConfig({ env: {}, flags: { port: '0', dataDir, ui } });
  const app = createApp({
    config,
    servers: async (parts) => createServerFactory({ ...parts, tools: [echo], resources: [], prompts: [] }),
  });
  const listener = await app.listen();
  ({ newPageUrl } = listener);
  return listener.port;
}

function startBareModern(): Promise<number> {
  const handler = toNodeHandler(createMcpHandler(bareServer));
  // Node's request always has a method and a url here; the adapter's type does not allow for them to be undefined.
  const toHandle = handler as (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  return listen((incoming, outgoing) => void toHandle(incoming, outgoing));
}

/** Without Host and Origin checks: the figure to beat is the SDK's own. */
function startBareStateful(enableJsonResponse: boolean): Promise<number> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      enableJsonResponse,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await bareServer().connect(transport);
    return transport;
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const transport = sessions.get(String(incoming.headers['mcp-session-id'])) ?? (await open());
    await transport.handleRequest(incoming, outgoing);
  };
  return listen((incoming, outgoing) => void serve(incoming, outgoing));
}

/** What HTTP and JSON cost by themselves. */
function startFloor(): Promise<number> {
  return listen((incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    incoming.on('end', () => {
      const { id, params } = JSON.parse(text);
      const content = [{ type: 'text', text: params.arguments.text }];
      outgoing.setHeader('Content-Type', 'application/json');
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    });
  });
}

function listen(onRequest: RequestListener): Promise<number> {
  const server = createServer(onRequest);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

const STARTERS: Readonly<Record<string, () => Promise<number>>> = {
  floor: startFloor,
  waymark: () => startWaymark({ ui: false }),
  'waymark-page': () => startWaymark({ ui: true }),
  'sdk-modern': startBareModern,
  'sdk-stateful-sse': () => startBareStateful(false),
  'sdk-stateful-json': () => startBareStateful(true),
};

const starter = STARTERS[process.argv[2] ?? ''];
if (starter === undefined) throw new Error(`one of: ${Object.keys(STARTERS).join(', ')}`);
process.send?.(await starter());
process.on('message', (asked) => {
  if (asked === 'page') {
    process.send?.(newPageUrl?.() ?? '');
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// The benchmark hangs up when it is done, or when it dies.
process.on('disconnect', () => process.exit(0));
