/** Clients of the HTTP+SSE transport: a session lives as long as its stream. */
import type { Server } from '@modelcontextprotocol/server';
import type { Clock } from '../../core/index.ts';
import { PROJECT_PARAMETER, readQueryPath, type QueryPath } from '../../project/index.ts';
import type { ServerFactory } from '../connection.ts';
import { innerServer } from '../inner-server.ts';
import { isInitialize, isWireMessage, parseMessages, readableId } from './classify.ts';
import { noteClient, toRequestFacade, type Exchange } from './exchange.ts';
import {
  allowsBatch,
  batchRefused,
  initializedAlready,
  refuseSharedId,
  refuseVersion,
  sessionNotFound,
} from './legacy-refusals.ts';
import { notJsonRpc } from './not-json-rpc.ts';
import { emptyReply, errorReply, RPC, type Reply } from './reply.ts';
import { createSessionTable, type Session } from './session-table.ts';
import { createSseTransport, type SseTransport } from './sse-transport.ts';
import { readUrlChoices, type UrlChoices } from './url-choices.ts';

export interface SseSessionsOptions {
  readonly factory: ServerFactory;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly maxSessions: number;
  readonly keepAliveMs: number;
}

export interface SseSessions {
  readonly size: number;
  /** Opens the stream; `endpoint` is the path its client shall post to. */
  open(exchange: Exchange, endpoint: string): Promise<Reply>;
  receive(exchange: Exchange, id: string, body: unknown): Promise<Reply>;
  /** The project that the URL of a stream names. */
  projectPath(id: string | null): QueryPath | undefined;
  /** What the URL of a stream chooses. */
  choices(id: string | null): UrlChoices;
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
      const server = factory({ transport: 'sse', era: 'legacy' });
      const session: SseSession = {
        id,
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
      const session = table.get(id);
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
    projectPath(id) {
      const opened = id === null ? undefined : table.get(id)?.transport.opened;
      return opened === undefined ? undefined : readQueryPath(opened.url, PROJECT_PARAMETER);
    },
    choices(id) {
      const opened = id === null ? undefined : table.get(id)?.transport.opened;
      return opened === undefined ? {} : readUrlChoices(opened);
    },
    close: () => table.close(),
  };
}
