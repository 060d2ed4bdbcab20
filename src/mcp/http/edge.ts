/** The protocol edge on HTTP: one endpoint for every client. Decides who serves a request; knows no socket. */
import type { Clock, Logger, SourceReport } from '../../core/index.ts';
import { PROJECT_PARAMETER } from '../../project/index.ts';
import {
  createCrashReporter,
  errorReply,
  hasJsonBody,
  invalidRequest,
  methodNotAllowed,
  readQueryValue,
  refuseContent,
  refuseScopes,
  RPC,
  type Edge,
  type Exchange,
  type QueryValue,
  type Reply,
} from '../../transport/index.ts';
import type { ServerFactory } from '../connection.ts';
import { rewordErrors } from '../error-answers.ts';
import {
  classifyPost,
  isRecord,
  MODERN_VERSIONS,
  noteMessage,
  parseAccept,
  readableId,
  withParams,
  type Accepted,
  type Classified,
} from './messages.ts';
import { createModernHandler } from './modern-requests.ts';
import {
  allowsBatch,
  batchRefused,
  initializedAlready,
  missingSession,
  notJsonRpc,
  readUrlChoices,
  refuseInitialize,
  refuseProject,
  refuseUrlChoices,
  refuseVersion,
  scopesNeeded,
} from './request-checks.ts';
import { createLegacySessions } from './sessions.ts';
import { createSseSessions } from './sse.ts';

export interface HttpEdgeOptions {
  readonly factory: ServerFactory;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  /** A short name for a failure, said to the client and written to the log. */
  readonly newReference: () => string;
  readonly legacySse: boolean;
  /** Serve legacy requests without sessions. */
  readonly stateless: boolean;
  /** Serve clients that accept one type only or forget their session id. */
  readonly lenient: boolean;
  /** Where clients learn whose tokens are taken; undefined without an issuer. */
  readonly metadataUrl?: (() => string) | undefined;
  /** Told of requests whose token does not allow them. */
  readonly onRefused?: ((exchange: Exchange) => void) | undefined;
  /** What the project that a URL names comes to. */
  readonly checkQuery: (path: QueryValue, caller: Exchange['principal']) => SourceReport;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly keepAliveMs?: number;
  readonly streamAfterMs?: number;
}

export interface HttpEdge extends Edge {
  readonly sessions: number;
}

const KEEP_ALIVE_MS = 15_000;
const STREAM_AFTER_MS = 2_000;
const RETRY_MS = 1_000;
/** Every message of a batch starts before the first is answered; thousands of them would delay the other clients. */
const MAX_BATCH = 100;
const ALLOW = 'GET, POST, DELETE';
const NOT_ACCEPTABLE = 'Not Acceptable: Client must accept both application/json and text/event-stream';
const NEITHER_ACCEPTABLE = 'Not Acceptable: Client must accept application/json or text/event-stream';

export function createHttpEdge(options: HttpEdgeOptions): HttpEdge {
  const { logger, clock, newId, legacySse, stateless, lenient, maxSessions } = options;
  const reportCrash = createCrashReporter(logger, options.newReference);
  /** Without sessions a GET is of use to HTTP+SSE only. */
  const ALLOW_STATELESS = legacySse ? 'GET, POST' : 'POST';
  const factory: ServerFactory = (connection) =>
    rewordErrors(options.factory(connection), {
      reportCrash,
      namesMethods: connection.era === 'legacy',
    });
  const keepAliveMs = options.keepAliveMs ?? KEEP_ALIVE_MS;
  const times = { keepAliveMs, streamAfterMs: options.streamAfterMs ?? STREAM_AFTER_MS, retryMs: RETRY_MS };
  const sessions = createLegacySessions({
    factory,
    newId,
    clock,
    maxSessions,
    idleMs: options.sessionIdleMs,
    times,
  });
  const streams = createSseSessions({ factory, newId, clock, maxSessions, keepAliveMs });
  const modern = createModernHandler({ factory, logger, reportCrash, ...times });

  const routes = new Map<string, (exchange: Exchange) => Promise<Reply>>([['/mcp', onMcp]]);
  if (legacySse) routes.set('/sse', onSse).set('/mcp/sse', onSse).set('/messages', onMessages);

  return {
    serves: (path) => routes.has(path),
    handle: (exchange) => routes.get(exchange.path)?.(exchange),
    get sessions() {
      return sessions.size + streams.size;
    },
    async close() {
      await Promise.all([modern.close(), sessions.close(), streams.close()]);
    },
  };

  async function onMcp(exchange: Exchange): Promise<Reply> {
    switch (exchange.method) {
      case 'POST':
        return onPost(exchange);
      case 'GET':
        return onGet(exchange);
      case 'DELETE':
        return onDelete(exchange);
      default:
        return methodNotAllowed(ALLOW);
    }
  }

  async function onGet(exchange: Exchange): Promise<Reply> {
    const unexpected = refuseContent(exchange);
    if (unexpected !== undefined) return unexpected;
    if (!parseAccept(exchange.header('accept')).stream) {
      return invalidRequest(406, 'Not Acceptable: Client must accept text/event-stream');
    }
    const id = exchange.header('mcp-session-id');
    const version = exchange.header('mcp-protocol-version');
    if (id !== undefined && !stateless) {
      exchange.note.era = 'legacy';
      return refuseVersion(version, { inSession: true }) ?? sessions.listen(exchange, id);
    }
    const refused = refuseSessionless(version);
    if (refused !== undefined) return refused;
    if (id === undefined && version === undefined && legacySse) return openStream(exchange, '/mcp');
    return stateless ? methodNotAllowed(ALLOW_STATELESS) : missingSession();
  }

  async function onDelete(exchange: Exchange): Promise<Reply> {
    const unexpected = refuseContent(exchange);
    if (unexpected !== undefined) return unexpected;
    // Without sessions there is nothing to end; clients take this for a goodbye that needs no answer.
    if (stateless) return methodNotAllowed(ALLOW_STATELESS);
    const id = exchange.header('mcp-session-id');
    exchange.note.era = 'legacy';
    const version = exchange.header('mcp-protocol-version');
    if (id === undefined) return refuseSessionless(version) ?? missingSession();
    return refuseVersion(version, { inSession: true }) ?? sessions.end(exchange, id);
  }

  async function onSse(exchange: Exchange): Promise<Reply> {
    if (exchange.method !== 'GET') return methodNotAllowed('GET');
    const unexpected = refuseContent(exchange);
    if (unexpected !== undefined) return unexpected;
    if (!parseAccept(exchange.header('accept')).stream) {
      return invalidRequest(406, 'Not Acceptable: Client must accept text/event-stream');
    }
    return openStream(exchange, '/messages');
  }

  async function onMessages(exchange: Exchange): Promise<Reply> {
    if (exchange.method !== 'POST') return methodNotAllowed('POST');
    return onPost(exchange);
  }

  function openStream(exchange: Exchange, endpoint: string): Promise<Reply> {
    exchange.note.era = 'sse';
    return streams.open(exchange, endpoint);
  }

  async function onPost(exchange: Exchange): Promise<Reply> {
    if (!hasJsonBody(exchange)) {
      return invalidRequest(400, 'Bad Request: Content-Type must be application/json');
    }
    const body = await exchange.readBody();
    switch (body.kind) {
      case 'malformed':
        return errorReply({
          status: 400,
          code: RPC.parseError,
          message: 'Parse error: the body is not valid JSON',
        });
      case 'too_large':
        return invalidRequest(413, body.message);
      case 'gone':
        return invalidRequest(400, 'Bad Request: the body ended early');
      case 'json':
        return onBody(exchange, withParams(body.value));
    }
  }

  async function onBody(exchange: Exchange, body: unknown): Promise<Reply> {
    if (Array.isArray(body) && body.length > MAX_BATCH) {
      return invalidRequest(413, `A batch holds at most ${MAX_BATCH} messages`);
    }
    const badInitialize = refuseInitialize(body);
    if (badInitialize !== undefined) return badInitialize;
    const streamId = legacySse ? exchange.query.get('sessionId') : null;
    noteMessage(exchange, body);
    // What the URL of an HTTP+SSE stream names and chooses holds for its messages, unless they say otherwise.
    const opened = streamId === null ? undefined : streams.openedBy(exchange, streamId);
    exchange.projectPath =
      readQueryValue(exchange.url, PROJECT_PARAMETER) ??
      (opened && readQueryValue(opened.url, PROJECT_PARAMETER));
    exchange.choices = { ...(opened && readUrlChoices(opened)), ...readUrlChoices(exchange) };
    const forbidden = refuseBeyondToken(exchange, body);
    if (forbidden !== undefined) {
      options.onRefused?.(exchange);
      return forbidden;
    }
    const refused =
      refuseProject(exchange.projectPath, body, (path) => options.checkQuery(path, exchange.principal)) ??
      refuseUrlChoices(exchange.choices, body);
    if (refused !== undefined) return refused;
    if (streamId !== null) {
      exchange.note.era = 'sse';
      return streams.receive(exchange, streamId, body);
    }
    if (exchange.path === '/messages') return missingSession(readableId(body));
    const sessionId = exchange.header('mcp-session-id');
    const versionHeader = exchange.header('mcp-protocol-version');
    const accepted = parseAccept(exchange.header('accept'));
    const inSession = sessionId !== undefined && !stateless;
    const classified = classifyPost({ body, versionHeader, inSession });
    exchange.note.era = classified.kind === 'modern' ? 'modern' : 'legacy';
    switch (classified.kind) {
      case 'modern':
        return onModern(exchange, body, accepted);
      case 'not_json_rpc':
        return notJsonRpc(classified.era === 'legacy' ? RPC.invalidParams : RPC.invalidRequest, body);
      case 'initialize':
      case 'legacy':
        return onLegacy(exchange, classified, accepted, { sessionId, versionHeader });
    }
  }

  /** A server without tokens lets every program on this machine do everything. */
  function refuseBeyondToken({ principal }: Exchange, body: unknown): Reply | undefined {
    if (principal.kind === 'local') return undefined;
    return refuseScopes(principal, {
      needed: scopesNeeded(options.factory, body),
      id: readableId(body),
      metadataUrl: options.metadataUrl?.(),
    });
  }

  async function onModern(exchange: Exchange, body: unknown, accepted: Accepted): Promise<Reply> {
    if (accepted.said && !accepted.json && !accepted.stream) {
      return invalidRequest(406, NEITHER_ACCEPTABLE, readableId(body));
    }
    // A subscription has no answer but its stream; as JSON it would never come.
    if (accepted.said && !accepted.stream && isListen(body)) {
      const message = 'Not Acceptable: Client must accept text/event-stream';
      return invalidRequest(406, message, readableId(body));
    }
    return modern.serve(exchange, body, accepted);
  }

  async function onLegacy(
    exchange: Exchange,
    classified: Extract<Classified, { kind: 'initialize' | 'legacy' }>,
    accepted: Accepted,
    {
      sessionId,
      versionHeader,
    }: { readonly sessionId: string | undefined; readonly versionHeader: string | undefined },
  ): Promise<Reply> {
    const { messages } = classified;
    const id = readableId(messages[0]);
    const mode = answerMode(accepted);
    if (mode === undefined) return invalidRequest(406, lenient ? NEITHER_ACCEPTABLE : NOT_ACCEPTABLE, id);
    const batch = classified.kind === 'legacy' && classified.batch;
    const message = { messages, batch, mode };
    if (classified.kind === 'initialize') {
      if (stateless) return sessions.postOnce(exchange, message);
      if (sessions.has(exchange, sessionId)) return initializedAlready(id);
      return sessions.initialize(exchange, message);
    }
    if (sessionId !== undefined && !stateless) {
      const refused = refuseVersion(versionHeader, { inSession: true, id });
      return refused ?? sessions.post(exchange, sessionId, message);
    }
    const refused = refuseVersion(versionHeader, { inSession: false, id });
    if (refused !== undefined) return refused;
    if (!stateless && !lenient) return missingSession(id);
    if (batch && !allowsBatch(versionHeader ?? '2025-03-26')) return batchRefused(id);
    return sessions.postOnce(exchange, message);
  }

  /** Undefined if the client accepts too little: one of the two types for a strict server, both for a lenient one. */
  function answerMode({ json, stream, said }: Accepted): 'auto' | 'json' | 'sse' | undefined {
    if (json && stream) return 'auto';
    if (!lenient) return undefined;
    if (stream) return 'sse';
    return json || !said ? 'json' : undefined;
  }
}

/** Of a GET or DELETE that names no session. The modern era has neither. */
function refuseSessionless(version: string | undefined): Reply | undefined {
  if (version !== undefined && MODERN_VERSIONS.includes(version)) return methodNotAllowed('POST');
  return refuseVersion(version, { inSession: false });
}

function isListen(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'subscriptions/listen';
}
