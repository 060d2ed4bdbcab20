/** Modern requests: stateless, served by the SDK's own handler, which checks headers against the body. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from '../../core/index.ts';
import type { ServerFactory } from '../build-server.ts';
import type { Accepted } from './accept.ts';
import { isRecord, readableId } from './classify.ts';
import { toRequestFacade, type Exchange } from './exchange.ts';
import { errorReply, RPC, UNKNOWN_ID, type Headers, type Reply } from './reply.ts';
import { pumpEvents, readLastMessage } from './web-stream.ts';

export interface ModernOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly keepAliveMs: number;
}

export interface ModernHandler {
  serve(exchange: Exchange, body: unknown, accepted: Accepted): Promise<Reply>;
  /** Tells every subscriber that the stream is over, and cancels what runs. */
  close(): Promise<void>;
}

export function createModernHandler({ factory, logger, keepAliveMs }: ModernOptions): ModernHandler {
  const make = () => factory({ transport: 'http', era: 'modern' });
  const onerror = (error: Error): void => logger.debug('modern request', { reason: error.message });
  const handler = createMcpHandler(make, { legacy: 'reject', keepAliveMs, onerror });
  const streaming = createMcpHandler(make, {
    legacy: 'reject',
    responseMode: 'sse',
    bus: handler.bus,
    keepAliveMs,
    onerror,
  });

  return {
    async serve(exchange, body, accepted) {
      const refused = refuseParams(body);
      if (refused !== undefined) return refused;
      const streamOnly = accepted.stream && !accepted.json;
      const chosen = streamOnly ? streaming : handler;
      const response = await chosen.fetch(
        // The handler reads method, headers and signal; with the body parsed already it needs nothing else of a Request.
        toRequestFacade(exchange) as unknown as Request,
        { parsedBody: body },
      );
      const reply = await toReply(response, {
        id: readableId(body),
        jsonOnly: accepted.json && !accepted.stream,
      });
      // The SDK sends an error of a handler as 200, and so a crash too.
      return exchange.note.crashed === true && reply.kind === 'whole' ? { ...reply, status: 500 } : reply;
    },
    async close() {
      await Promise.all([handler.close(), streaming.close()]);
    },
  };
}

/** The SDK finds these out only inside the handler, when the status is decided; the contract wants 400. */
function refuseParams(body: unknown): Reply | undefined {
  if (!isRecord(body) || body['method'] !== 'tools/call' || !isRecord(body['params'])) return undefined;
  const { name, arguments: args } = body['params'];
  if (typeof name === 'string' && (args === undefined || isRecord(args))) return undefined;
  const message = 'Invalid params: tools/call takes {name: string, arguments?: object}';
  return errorReply({ status: 400, code: RPC.invalidParams, message, id: readableId(body) });
}

async function toReply(
  response: Response,
  how: { id: string | number | undefined; jsonOnly: boolean },
): Promise<Reply> {
  const headers = Object.fromEntries(response.headers) satisfies Headers;
  const { status, body } = response;
  if (body === null) return { kind: 'whole', status, headers, body: undefined };
  if (response.headers.get('content-type') !== 'text/event-stream') {
    const text = await response.text();
    return { kind: 'whole', status, headers, body: status < 400 ? text : withId(text, how.id) };
  }
  if (how.jsonOnly) {
    const message = await readLastMessage(body);
    return { kind: 'whole', status, headers: { 'Content-Type': 'application/json' }, body: message };
  }
  return { kind: 'stream', status, headers, start: (sink) => pumpEvents(body, sink) };
}

/** The SDK answers with a null id where it knows none; JSON-RPC clients match answers by id, so there always is one. */
function withId(text: string, id: string | number | undefined): string {
  return text.replace(/"id":null(?=[,}])/, `"id":${JSON.stringify(id ?? UNKNOWN_ID)}`);
}
