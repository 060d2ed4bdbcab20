/** What a server is built for: one connection, or one request of a client that has none. */
import type { McpServer, Server } from '@modelcontextprotocol/server';

export interface Connection {
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly era: 'legacy' | 'modern';
  /** False for a server that serves one request and is gone. */
  readonly keeps?: boolean;
}

/** Makes a fresh server each time: one that is shared delivers answers to the wrong client. */
export type ServerFactory = (connection: Connection) => Server | McpServer;
