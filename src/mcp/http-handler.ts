/** Answers MCP over HTTP as Request → Response, in either protocol era. Knows no socket. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from '../core/index.ts';
import type { ServerFactory } from './build-server.ts';

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function createHttpHandler(factory: ServerFactory, logger: Logger): HttpHandler {
  const handler = createMcpHandler(() => factory({ transport: 'http' }), {
    onerror: (error) => logger.debug('mcp over http', { reason: error.message }),
  });
  return { fetch: (request) => handler.fetch(request), close: () => handler.close() };
}
