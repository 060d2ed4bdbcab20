/** The SDK has two servers, one inside the other; what a connection knows of its client is in the inner one. */
import { McpServer, type Server } from '@modelcontextprotocol/server';

export function innerServer(made: Server | McpServer): Server {
  return made instanceof McpServer ? made.server : made;
}
