/** The listener: everything between a socket and a parsed MCP request. */
export { openListener, type Listener, type ListenerOptions } from './listener.ts';
