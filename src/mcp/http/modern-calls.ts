/**
 * The short way for what clients ask most: a modern tools/call whose headers and body agree to the letter. The SDK
 * classifies, dispatches and validates it as any other; only the detour of its answer through web streams is left out.
 * Whatever is unusual about a request takes the long way, so that there is one judge of what is wrong with it.
 */
import {
  classifyInboundRequest,
  McpServer,
  PerRequestHTTPServerTransport,
  type InboundModernRoute,
  type Server,
} from '@modelcontextprotocol/server';
import type { ServerFactory } from '../connection.ts';
import { toRequestFacade, type Exchange } from './exchange.ts';
import { jsonReply, stopping, type Reply } from './reply.ts';

export type PlainCall = Extract<InboundModernRoute, { messageKind: 'request' }>;

export interface ModernCalls {
  /** A reply, or the SDK's response if there was more to say than a result; undefined if the server cannot be used so. */
  serve(exchange: Exchange, call: PlainCall): Promise<Reply | Response | undefined>;
  /** Cancels what runs. */
  close(): Promise<void>;
}

/** The call, if there is nothing about it that needs a closer look. */
export function findPlainCall(exchange: Exchange, body: unknown): PlainCall | undefined {
  const protocolVersionHeader = exchange.header('mcp-protocol-version');
  const mcpNameHeader = exchange.header('mcp-name');
  if (exchange.header('mcp-method') !== 'tools/call') return undefined;
  // A coded name is for the SDK to decode.
  if (protocolVersionHeader === undefined || mcpNameHeader?.startsWith('=?') !== false) return undefined;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader,
    mcpMethodHeader: 'tools/call',
    mcpNameHeader,
    body,
  });
  if (route.kind !== 'modern' || route.messageKind !== 'request') return undefined;
  const agrees =
    route.classification.revision === protocolVersionHeader &&
    route.message.params?.['name'] === mcpNameHeader;
  return agrees ? route : undefined;
}

export function createModernCalls(factory: ServerFactory, keepAliveMs: number): ModernCalls {
  const open = new Set<Server>();
  return {
    async serve(exchange, { message, classification }) {
      const transport = new PerRequestHTTPServerTransport({ classification, keepAliveMs });
      const server = factory({ transport: 'http', era: 'modern' });
      // The SDK's other server has checks of its own (mirrored headers), which only the SDK's handler makes.
      if (server instanceof McpServer) return undefined;
      await server.connect(transport);
      // A server that does not list the revision cannot be told of it from here; the SDK's handler can.
      if (server.getNegotiatedProtocolVersion() !== classification.revision) {
        await server.close();
        return undefined;
      }
      open.add(server);
      server.onclose = () => void open.delete(server);
      return new Promise((resolve) => {
        const send = transport.send.bind(transport);
        let untouched = true;
        transport.send = async (said, options) => {
          if (!untouched || !('result' in said)) {
            untouched = false;
            return send(said, options);
          }
          // Nothing is left to close: the exchange was one request, and this is its answer.
          open.delete(server);
          resolve(jsonReply(200, said));
        };
        transport
          // The SDK reads url, method, headers and signal of a request, all of which the facade has.
          .handleMessage(message, { request: toRequestFacade(exchange) as unknown as Request })
          // It only fails if the client went away, who does not read this, or if we are closing.
          .then(resolve, () => resolve(stopping(message.id)));
      });
    },
    async close() {
      await Promise.all([...open].map((server) => server.close()));
    },
  };
}
