/** The tools as plain HTTP: one table of addresses, for scripts and programs that speak no MCP. */
export { createRestEdge, type RestEdgeOptions } from './edge.ts';
export { renderRestReference } from './reference.ts';
export { TOOL_ROUTES } from './routes.ts';
