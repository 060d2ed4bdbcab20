/** The protocol edge: turns MCP messages into tool calls and answers, on every transport and in both eras. */
export { createServerFactory, type ServerParts, renderInstructions } from './build-server.ts';
export type { Connection, ServerFactory } from './connection.ts';
export { createHttpEdge, type HttpEdge, type HttpEdgeOptions } from './http/edge.ts';
export { createProbe, type Probe, type ProbeOptions } from './probe.ts';
export type { StateKeys } from './request-state.ts';
export { openStdio, type StdioConnection, type StdioOptions } from './stdio.ts';
