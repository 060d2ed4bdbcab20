/** Modern requests: stateless, served by the SDK's own handler, which checks headers against the body. */
import {
  classifyInboundRequest,
  createMcpHandler,
  McpServer,
  PerRequestHTTPServerTransport,
  type InboundModernRoute,
  type Server,
} from '@modelcontextprotocol/server';
import type { Logger } from '../../core/index.ts';
import {
  errorReply,
  exchangeOf,
  EVENT_STREAM_HEADERS,
  jsonReply,
  keepAlive,
  renderEvent,
  RPC,
  stopping,
  toRequestFacade,
  UNKNOWN_ID,
  type CrashReporter,
  type Exchange,
  type Headers,
  type Reply,
  type StreamSink,
} from '../../transport/index.ts';
import type { ServerFactory } from '../connection.ts';
import { isRecord, readableId, type Accepted } from './messages.ts';
import { refuseEnvelope, refuseParams } from './request-checks.ts';

export interface ModernOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly keepAliveMs: number;
  /** An answer that takes longer than this is streamed. */
  readonly streamAfterMs: number;
  readonly reportCrash: CrashReporter;
}

export interface ModernHandler {
  serve(exchange: Exchange, body: unknown, accepted: Accepted): Promise<Reply>;
  /** Tells every subscriber that the stream is over, and cancels what runs. */
  close(): Promise<void>;
}

export function createModernHandler(options: ModernOptions): ModernHandler {
  const { factory, logger, keepAliveMs, reportCrash } = options;
  const make = ({ requestInfo }: { requestInfo?: unknown }) =>
    factory({ transport: 'http', era: 'modern', choices: exchangeOf(requestInfo)?.choices });
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
    // Only what broke before a handler was reached: the SDK's own words for it name no reference.
    if (response.status === 500) {
      const message = reportCrash('a modern request crashed', await response.text());
      return errorReply({ status: 500, code: RPC.internalError, message, id });
    }
    // The SDK's word for a call that was cancelled, without a body: by a client who does not read it, or by our closing.
    if (response.status === 499) return stopping(id);
    return toReply(response, { id, jsonOnly: accepted.json && !accepted.stream });
  }
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

type PlainCall = Extract<InboundModernRoute, { messageKind: 'request' }>;

interface ModernCalls {
  /** A reply, or the SDK's response if there was more to say than a result; undefined if the server cannot be used so. */
  serve(exchange: Exchange, call: PlainCall): Promise<Reply | Response | undefined>;
  /** Cancels what runs. */
  close(): Promise<void>;
}

/** The call, if there is nothing about it that needs a closer look. */
function findPlainCall(exchange: Exchange, body: unknown): PlainCall | undefined {
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

/**
 * The short way for the most frequent request: a tools/call whose headers and body agree to the letter. The SDK classifies,
 * dispatches and validates it as any other; only the detour of its answer through web streams is left out. Whatever is unusual
 * about a request takes the long way, so that one place judges what is wrong with it.
 */
function createModernCalls(factory: ServerFactory, keepAliveMs: number): ModernCalls {
  const open = new Set<Server>();
  return {
    async serve(exchange, { message, classification }) {
      const transport = new PerRequestHTTPServerTransport({ classification, keepAliveMs });
      const server = factory({ transport: 'http', era: 'modern', choices: exchange.choices });
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

/** Turns an answer that takes long into a stream, so that keep-alives can hold its connection. For clients that accept both types. */
async function streamIfLong(
  answer: Promise<Reply>,
  { streamAfterMs, keepAliveMs }: Pick<ModernOptions, 'streamAfterMs' | 'keepAliveMs'>,
): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), streamAfterMs).unref();
  });
  const reply = await Promise.race([answer, late]).finally(() => clearTimeout(timer));
  if (reply !== undefined) return reply;
  return {
    kind: 'stream',
    status: 200,
    headers: EVENT_STREAM_HEADERS,
    start: (sink) => carry(answer, sink, keepAliveMs),
  };
}

function carry(answer: Promise<Reply>, sink: StreamSink, keepAliveMs: number): () => void {
  const stop = keepAlive(sink, keepAliveMs);
  let leave = stop;
  answer.then(
    (reply) => {
      stop();
      if (reply.kind === 'stream') {
        leave = reply.start(sink);
        return;
      }
      if (reply.body !== undefined) sink.write(renderEvent(reply.body));
      sink.end();
    },
    () => {
      stop();
      sink.end();
    },
  );
  return () => leave();
}

/** Copies a stream of events to a sink; returns what to do when the client goes away. */
function pumpEvents(body: ReadableStream<Uint8Array>, sink: StreamSink): () => void {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      sink.write(decoder.decode(value, { stream: true }));
    }
  };
  pump().then(
    () => sink.end(),
    () => sink.end(),
  );
  return () => void reader.cancel().catch(() => {});
}

/** The last message of a stream, for a client that accepts JSON only. */
async function readLastMessage(body: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const text = await new Response(body).text();
  const last = text.split('\n').findLast((line) => line.startsWith('data: '));
  return last?.slice('data: '.length);
}
