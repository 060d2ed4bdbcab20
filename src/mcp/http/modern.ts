/** Modern requests: stateless, served by the SDK's own handler, which checks headers against the body. */
import { createMcpHandler, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { Logger } from '../../core/index.ts';
import type { ServerFactory } from '../connection.ts';
import { renderCrash } from '../crash-guard.ts';
import type { Accepted } from './accept.ts';
import { isModernVersion, isRecord, metaOf, readableId } from './classify.ts';
import { toRequestFacade, type Exchange } from './exchange.ts';
import { createModernCalls, findPlainCall } from './modern-calls.ts';
import { errorReply, RPC, stopping, UNKNOWN_ID, type Headers, type Reply } from './reply.ts';
import { streamIfLong } from './stream-if-long.ts';
import { pumpEvents, readLastMessage } from './web-stream.ts';

export interface ModernOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly keepAliveMs: number;
  /** An answer that takes longer than this is streamed. */
  readonly streamAfterMs: number;
  readonly newReference: () => string;
}

export interface ModernHandler {
  serve(exchange: Exchange, body: unknown, accepted: Accepted): Promise<Reply>;
  /** Tells every subscriber that the stream is over, and cancels what runs. */
  close(): Promise<void>;
}

export function createModernHandler(options: ModernOptions): ModernHandler {
  const { factory, logger, keepAliveMs, newReference } = options;
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
  const calls = createModernCalls(factory, keepAliveMs);

  return {
    async serve(exchange, body, accepted) {
      const refused = refuseEnvelope(exchange, body) ?? refuseParams(body);
      if (refused !== undefined) return refused;
      const reply = answer(exchange, body, accepted);
      return accepted.json && accepted.stream ? streamIfLong(reply, options) : reply;
    },
    async close() {
      await Promise.all([handler.close(), streaming.close(), calls.close()]);
    },
  };

  async function answer(exchange: Exchange, body: unknown, accepted: Accepted): Promise<Reply> {
    const streamOnly = accepted.stream && !accepted.json;
    const id = readableId(body);
    const plain = streamOnly ? undefined : findPlainCall(exchange, body);
    const called = plain === undefined ? undefined : await calls.serve(exchange, plain);
    if (called !== undefined && !(called instanceof Response)) return called;
    const response =
      called ??
      (await (streamOnly ? streaming : handler).fetch(
        // The handler reads method, headers and signal; with the body parsed already it needs nothing else of a Request.
        toRequestFacade(exchange) as unknown as Request,
        { parsedBody: body },
      ));
    if (response.status === 500) return crashed(id);
    // The SDK's word for a call that was cancelled, without a body: by a client who does not read it, or by our closing.
    if (response.status === 499) return stopping(id);
    return toReply(response, { id, jsonOnly: accepted.json && !accepted.stream });
  }

  /** Only what broke before a handler was reached: the SDK's own words for it name no reference. */
  function crashed(id: string | number | undefined): Reply {
    const reference = newReference();
    logger.error('a modern request crashed', { reference });
    return errorReply({ status: 500, code: RPC.internalError, message: renderCrash(reference), id });
  }
}

/** Without a version anywhere the SDK takes the request for a legacy one; its other keys say that it is not. */
function refuseEnvelope(exchange: Exchange, body: unknown): Reply | undefined {
  if (isModernVersion(exchange.header('mcp-protocol-version'))) return undefined;
  if (!isRecord(body) || metaOf(body)[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
  const message = `Invalid params: _meta lacks ${PROTOCOL_VERSION_META_KEY}`;
  return errorReply({ status: 400, code: RPC.invalidParams, message, id: readableId(body) });
}

/** The SDK finds these out only inside the handler, when the status is decided; the contract wants 400. */
function refuseParams(body: unknown): Reply | undefined {
  if (!isRecord(body) || body['method'] !== 'tools/call' || !isRecord(body['params'])) return undefined;
  const { name, arguments: args } = body['params'];
  if (typeof name === 'string' && (args === undefined || isRecord(args))) return undefined;
  const message = 'Invalid params for tools/call. It takes {name: string, arguments?: object}.';
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
    if (status < 400) return { kind: 'whole', status: isCrash(text) ? 500 : status, headers, body: text };
    return { kind: 'whole', status, headers, body: withId(text, how.id) };
  }
  if (how.jsonOnly) {
    const message = await readLastMessage(body);
    if (message === undefined) return stopping(how.id);
    const wholeStatus = isCrash(message) ? 500 : status;
    return {
      kind: 'whole',
      status: wholeStatus,
      headers: { 'Content-Type': 'application/json' },
      body: message,
    };
  }
  return { kind: 'stream', status, headers, start: (sink) => pumpEvents(body, sink) };
}

/** The SDK answers with a null id where it knows none; JSON-RPC clients match answers by id, so there always is one. */
function withId(text: string, id: string | number | undefined): string {
  const message: unknown = JSON.parse(text);
  if (!isRecord(message) || (message['id'] !== null && message['id'] !== undefined)) return text;
  return JSON.stringify({ ...message, id: id ?? UNKNOWN_ID });
}

/** The SDK sends an internal error with 200. The cheap look first: this runs for every answer. */
function isCrash(text: string): boolean {
  if (!text.includes(`"code":${RPC.internalError}`)) return false;
  const message: unknown = JSON.parse(text);
  const error = isRecord(message) ? message['error'] : undefined;
  return isRecord(error) && error['code'] === RPC.internalError;
}
