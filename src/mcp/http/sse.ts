/** HTTP+SSE, the transport of 2024-11-05: a session lives as long as its stream. */
import type { JSONRPCMessage, MessageExtraInfo, Server, Transport } from '@modelcontextprotocol/server';
import type { Clock } from '../../core/index.ts';
import {
  emptyReply,
  errorReply,
  EVENT_STREAM_HEADERS,
  RPC,
  toRequestFacade,
  type Exchange,
  type Reply,
  type RequestFacade,
} from '../../transport/index.ts';
import { innerServer, type ServerFactory } from '../connection.ts';
import { isInitialize, isWireMessage, noteClient, parseMessages, readableId } from './messages.ts';
import {
  allowsBatch,
  batchRefused,
  initializedAlready,
  notJsonRpc,
  readUrlChoices,
  refuseSharedId,
  refuseVersion,
  sessionNotFound,
} from './request-checks.ts';
import { createResumableStream } from './resumable-stream.ts';
import { createSessionTable, ownerOf, type Session } from './session-table.ts';

export interface SseSessionsOptions {
  readonly factory: ServerFactory;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly maxSessions: number;
  readonly keepAliveMs: number;
}

export interface SseSessions {
  readonly size: number;
  /** Opens the stream; `endpoint` is the path its client posts to. */
  open(exchange: Exchange, endpoint: string): Promise<Reply>;
  receive(exchange: Exchange, id: string, body: unknown): Promise<Reply>;
  /** The request that opened a stream: what its URL names and chooses holds for every message. */
  openedBy(exchange: Exchange, id: string): Exchange | undefined;
  close(): Promise<void>;
}

interface SseSession extends Session {
  readonly transport: SseTransport;
  readonly server: Server;
}

export function createSseSessions(options: SseSessionsOptions): SseSessions {
  const { factory, newId, clock, maxSessions, keepAliveMs } = options;
  // A stream is never idle: it ends when its client goes away.
  const table = createSessionTable<SseSession>({ maxSessions, idleMs: Number.POSITIVE_INFINITY, clock });

  return {
    get size() {
      return table.size;
    },
    async open(exchange, endpoint) {
      const id = newId();
      const transport = createSseTransport({
        sessionId: id,
        endpoint: `${endpoint}?sessionId=${id}`,
        opened: exchange,
        keepAliveMs,
      });
      const server = factory({ transport: 'sse', era: 'legacy', choices: readUrlChoices(exchange) });
      const session: SseSession = {
        id,
        owner: { ...ownerOf(exchange), name: '' },
        transport,
        server: innerServer(server),
        isBusy: () => true,
        close: () => server.close(),
      };
      if (!table.add(session)) {
        const message = 'Too many streams are open. Try again later.';
        return errorReply({ status: 503, code: RPC.internalError, message, headers: { 'Retry-After': '5' } });
      }
      // The SDK calls what it finds here before its own.
      transport.onclose = () => table.remove(id);
      await server.connect(transport);
      return transport.open();
    },
    async receive(exchange, id, body) {
      const session = table.get(id, exchange.principal.id);
      const requestId = readableId(body);
      if (session === undefined) return sessionNotFound(requestId);
      noteClient(exchange, session.server.getClientVersion());
      const messages = parseMessages(body);
      if (messages === undefined || !messages.every(isWireMessage)) {
        return notJsonRpc(RPC.invalidParams, body);
      }
      const [first] = messages;
      const hello = isInitialize(body);
      const agreed = session.server.getNegotiatedProtocolVersion();
      if (hello && agreed !== undefined) return initializedAlready(requestId);
      const version = exchange.header('mcp-protocol-version');
      const refused = hello ? undefined : refuseVersion(version, { inSession: true, id: readableId(first) });
      if (refused !== undefined) return refused;
      // Before the handshake nothing was agreed on, so a batch is not either.
      if (Array.isArray(body) && !allowsBatch(agreed)) return batchRefused(readableId(first));
      const shared = refuseSharedId(messages);
      if (shared !== undefined) return shared;
      for (const message of messages) session.transport.receive(message, toRequestFacade(exchange));
      return emptyReply(202);
    },
    openedBy: (exchange, id) => table.get(id, exchange.principal.id)?.transport.opened,
    close: () => table.close(),
  };
}

interface SseTransportOptions {
  readonly sessionId: string;
  /** Where the client is told to post, relative to this server: `/messages?sessionId=…`. */
  readonly endpoint: string;
  /** The request that opened the stream: its URL may name the project for every message. */
  readonly opened: Exchange;
  readonly keepAliveMs: number;
}

interface SseTransport extends Transport {
  readonly opened: Exchange;
  open(): Reply;
  receive(message: JSONRPCMessage, request: RequestFacade): void;
}

/** One stream down, one POST per message up, on the SDK's interface. */
function createSseTransport({ sessionId, endpoint, opened, keepAliveMs }: SseTransportOptions): SseTransport {
  const stream = createResumableStream({ number: 0, log: undefined, keepAliveMs });
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
          const detach = stream.attach(sink);
          return () => {
            detach();
            // This transport has no way back to a lost stream, so the session ends with it.
            void transport.close();
          };
        },
      };
    },
    receive(message, request) {
      // The SDK reads url, method, headers and signal of a request, all of which the facade has.
      const extra: MessageExtraInfo = { request: request as unknown as Request };
      transport.onmessage?.(message, extra);
    },
    async send(message) {
      stream.write(JSON.stringify(message));
    },
    async close() {
      if (closed) return;
      closed = true;
      stream.close();
      transport.onclose?.();
    },
  };
  return transport;
}
