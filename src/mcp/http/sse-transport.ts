/** HTTP+SSE, the transport of 2024-11-05: one stream down, one POST per message up. Small, ours, on the SDK's interface. */
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { createAskedMethods } from '../unknown-method.ts';
import type { Exchange, RequestFacade } from './exchange.ts';
import { createOutlet } from './outlet.ts';
import { EVENT_STREAM_HEADERS, type Reply } from './reply.ts';

export interface SseTransportOptions {
  readonly sessionId: string;
  /** Where the client is told to post, relative to this server: `/messages?sessionId=…`. */
  readonly endpoint: string;
  /** The request that opened the stream: its URL may name the project for every message. */
  readonly opened: Exchange;
  readonly keepAliveMs: number;
}

export interface SseTransport extends Transport {
  readonly opened: Exchange;
  open(): Reply;
  receive(message: JSONRPCMessage, request: RequestFacade): void;
}

export function createSseTransport({
  sessionId,
  endpoint,
  opened,
  keepAliveMs,
}: SseTransportOptions): SseTransport {
  const outlet = createOutlet({ stream: 0, log: undefined, keepAliveMs });
  const asked = createAskedMethods();
  let closed = false;
  const transport: SseTransport = {
    sessionId,
    opened,
    async start() {},
    open() {
      return {
        kind: 'stream',
        status: 200,
        headers: EVENT_STREAM_HEADERS,
        start(sink) {
          sink.write(`event: endpoint\ndata: ${endpoint}\n\n`);
          const detach = outlet.attach(sink);
          return () => {
            detach();
            // This transport has no way back to a lost stream, so the session ends with it.
            void transport.close();
          };
        },
      };
    },
    receive(message, request) {
      asked.hear(message);
      // The SDK reads url, method, headers and signal of a request, all of which the facade has.
      const extra: MessageExtraInfo = { request: request as unknown as Request };
      transport.onmessage?.(message, extra);
    },
    async send(message) {
      outlet.write(JSON.stringify(asked.say(message)));
    },
    async close() {
      if (closed) return;
      closed = true;
      outlet.close();
      transport.onclose?.();
    },
  };
  return transport;
}
