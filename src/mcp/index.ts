/** The protocol edge: turns MCP messages into tool calls and answers, on every transport and in both eras. */
export { createServerFactory, type ServerParts } from './build-server.ts';
export type { Connection, ServerFactory } from './connection.ts';
export { callTool } from './call-tool.ts';
export { refuseContent } from './http/refuse-verb.ts';
export { createHttpEdge, type HttpEdge, type HttpEdgeOptions } from './http/edge.ts';
export { keepAlive } from './http/event-stream.ts';
export type { AccessNote, Body, Exchange } from './http/exchange.ts';
export {
  emptyReply,
  errorReply,
  EVENT_STREAM_HEADERS,
  invalidRequest,
  jsonReply,
  RPC,
  stopping,
  type Reply,
  type StreamSink,
} from './http/reply.ts';
export { renderInstructions } from './instructions.ts';
export { createProbe, type Probe, type ProbeOptions } from './probe.ts';
export { openStdio, type StdioConnection } from './stdio.ts';
export type { StateKeys } from './request-state.ts';
export { readResource, type ResourceText } from './read-resource.ts';
export { toFullTool } from './wire.ts';
export { isJsonContentType } from '@modelcontextprotocol/server';
