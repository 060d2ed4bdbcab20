/** The protocol edge: turns MCP messages into tool calls and answers, on every transport and in both eras. */
export {
  createServerFactory,
  INSTRUCTIONS,
  type Connection,
  type ServerFactory,
  type ServerParts,
} from './build-server.ts';
export { createHttpHandler, type HttpHandler } from './http-handler.ts';
export { openStdio, type StdioConnection } from './stdio.ts';
