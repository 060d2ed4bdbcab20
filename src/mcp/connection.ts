/** What a server is built for: one connection, or one request of a client that has none. */
import { McpServer, type Server } from '@modelcontextprotocol/server';
import type { Scope } from '../core/index.ts';
import type { UrlChoices } from '../transport/index.ts';

export interface Connection {
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly era: 'legacy' | 'modern';
  /** False for a server that serves one request and is gone. */
  readonly keeps?: boolean;
  /** What the URL of the first request chooses. */
  readonly choices?: UrlChoices | undefined;
}

/** Makes a fresh server each time: a shared one would deliver answers to the wrong client. */
export interface ServerFactory {
  (connection: Connection): Server | McpServer;
  /** What the caller of `tools/call`, `resources/read` or `prompts/get` must be allowed; undefined where there is no such thing. */
  readonly neededScope?: (method: string, params: Readonly<Record<string, unknown>>) => Scope | undefined;
}

/** The SDK has two servers, one inside the other; what a connection knows of its client is in the inner one. */
export function innerServer(made: Server | McpServer): Server {
  return made instanceof McpServer ? made.server : made;
}
