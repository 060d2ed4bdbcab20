/** The listener: one node:http server in front of the MCP handler. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, type Logger } from '../core/index.ts';
import type { HttpHandler } from '../mcp/index.ts';
import { checkRequest, LOOPBACK_HOSTS } from './guard.ts';

export interface ListenerOptions {
  readonly handler: HttpHandler;
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
}

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

export async function openListener({ handler, host, port, logger }: ListenerOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    answer(handler, request, response).catch((error: unknown) => {
      logger.debug('request failed', { reason: error instanceof Error ? error.message : 'unknown' });
      response.destroy();
    });
  });
  await listen(server, host, port);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`,
    async close() {
      await handler.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EADDRINUSE') return reject(cause);
      const next = `--port ${port + 1}`;
      reject(new AppError('port_in_use', `Port ${port} is already in use. Try: ${next}`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

async function answer(
  handler: HttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const verdict = checkRequest({ hosts: LOOPBACK_HOSTS }, incoming.headers.host, incoming.headers.origin);
  if (verdict.kind === 'refuse') return refuse(outgoing, verdict.status, verdict.message);
  if (incoming.url?.split('?')[0] !== '/mcp') return refuse(outgoing, 404, 'Not Found');
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const response = await handler.fetch(toRequest(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  await pipeline(Readable.fromWeb(response.body), outgoing);
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'server-error', error: { code: -32600, message } });
  outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const item of value ?? []) headers.append(name, item);
  }
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming);
  return new Request(url, { method, headers, body, signal, ...(body === null ? {} : { duplex: 'half' }) });
}
