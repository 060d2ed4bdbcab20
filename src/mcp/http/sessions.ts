/** Legacy clients: a session each, opened by initialize and ended by DELETE, idleness or the cap. */
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import type { Clock } from '../../core/index.ts';
import { errorReply, RPC, toRequestFacade, type Exchange, type Reply } from '../../transport/index.ts';
import { innerServer, type ServerFactory } from '../connection.ts';
import { createLegacyTransport, type LegacyTransport, type StreamTimes } from './legacy-transport.ts';
import { isLegacyVersion, noteClient, readableId } from './messages.ts';
import { allowsBatch, batchRefused, refuseSharedId, sessionNotFound } from './request-checks.ts';
import { createEventLogs } from './resumable-stream.ts';
import { createSessionTable, ownerOf, type Session } from './session-table.ts';

export interface LegacySessionsOptions {
  readonly factory: ServerFactory;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly times: StreamTimes;
}

export interface LegacyMessage {
  readonly messages: readonly JSONRPCMessage[];
  readonly batch: boolean;
  readonly mode: 'auto' | 'json' | 'sse';
}

export interface LegacySessions {
  readonly size: number;
  has(exchange: Exchange, id: string | undefined): boolean;
  initialize(exchange: Exchange, message: LegacyMessage): Promise<Reply>;
  post(exchange: Exchange, id: string, message: LegacyMessage): Promise<Reply>;
  /** Serves one request without a session, for `--stateless` and `--lenient`. */
  postOnce(exchange: Exchange, message: LegacyMessage): Promise<Reply>;
  listen(exchange: Exchange, id: string): Reply;
  end(exchange: Exchange, id: string): Promise<Reply>;
  close(): Promise<void>;
}

interface LegacySession extends Session {
  readonly transport: LegacyTransport;
  readonly server: Server;
}

export function createLegacySessions(options: LegacySessionsOptions): LegacySessions {
  const { factory, newId, clock, times } = options;
  const logs = createEventLogs({ clock });
  const table = createSessionTable<LegacySession>({
    maxSessions: options.maxSessions,
    idleMs: options.idleMs,
    clock,
  });

  const open = async (
    id: string | undefined,
    { choices }: Exchange,
  ): Promise<Pick<LegacySession, 'server' | 'transport'>> => {
    const transport = createLegacyTransport({ sessionId: id, times, logs });
    const server = innerServer(
      factory({ transport: 'http', era: 'legacy', keeps: id !== undefined, choices }),
    );
    await server.connect(transport);
    return { server, transport };
  };

  const find = ({ principal }: Exchange, id: string): LegacySession | undefined =>
    table.get(id, principal.id);

  return {
    get size() {
      return table.size;
    },
    has: (exchange, id) => id !== undefined && find(exchange, id) !== undefined,
    async initialize(exchange, message) {
      const id = newId();
      const { server, transport } = await open(id, exchange);
      const reply = await transport.post({
        ...message,
        version: undefined,
        request: toRequestFacade(exchange),
      });
      // Only a handshake that settled on a version makes a session; a refused one leaves nothing behind.
      if (transport.agreedVersion() === undefined) {
        void server.close();
        return reply;
      }
      const session: LegacySession = {
        id,
        owner: { ...ownerOf(exchange), name: server.getClientVersion()?.name.slice(0, 100) ?? '' },
        server,
        transport,
        isBusy: () => transport.isBusy(),
        close: () => server.close(),
      };
      if (table.add(session)) return reply;
      void server.close();
      return errorReply({
        status: 503,
        code: RPC.internalError,
        message: 'Too many sessions are busy. Try again later.',
        id: readableId(message.messages[0]),
        headers: { 'Retry-After': '5' },
      });
    },
    async post(exchange, id, message) {
      const session = find(exchange, id);
      const firstId = readableId(message.messages[0]);
      if (session === undefined) return sessionNotFound(firstId);
      const { transport } = session;
      noteClient(exchange, session.server.getClientVersion());
      if (message.batch && !allowsBatch(transport.agreedVersion())) {
        return batchRefused(firstId);
      }
      const shared = refuseSharedId(message.messages);
      if (shared !== undefined) return shared;
      const header = exchange.header('mcp-protocol-version');
      const version = header !== undefined && isLegacyVersion(header) ? header : undefined;
      return transport.post({ ...message, version, request: toRequestFacade(exchange) });
    },
    async postOnce(exchange, message) {
      const shared = refuseSharedId(message.messages);
      if (shared !== undefined) return shared;
      const { server, transport } = await open(undefined, exchange);
      // There is no way back to the answer of a request without a session, so a client that has gone wants none.
      exchange.signal.addEventListener('abort', () => void server.close(), { once: true });
      const version = exchange.header('mcp-protocol-version');
      const reply = await transport.post({ ...message, version, request: toRequestFacade(exchange) });
      return closingAfter(reply, () => void server.close());
    },
    listen(exchange, id) {
      const session = find(exchange, id);
      if (session === undefined) return sessionNotFound();
      noteClient(exchange, session.server.getClientVersion());
      return session.transport.listen(exchange.header('last-event-id'));
    },
    async end(exchange, id) {
      const session = find(exchange, id);
      if (session === undefined) return sessionNotFound();
      table.remove(id);
      await session.close();
      return { kind: 'whole', status: 200, headers: {}, body: undefined };
    },
    close: () => table.close(),
  };
}

function closingAfter(reply: Reply, close: () => void): Reply {
  if (reply.kind === 'whole') {
    close();
    return reply;
  }
  return {
    ...reply,
    start(sink) {
      const leave = reply.start({
        write: (text) => sink.write(text),
        end() {
          sink.end();
          close();
        },
      });
      return () => {
        leave();
        close();
      };
    },
  };
}
