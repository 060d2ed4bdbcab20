/** The listener: one node:http server, and the checks every request passes before the protocol edge sees it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type Clock, type Logger } from '../core/index.ts';
import {
  createCrashReporter,
  errorReply,
  invalidRequest,
  RPC,
  stopping as stoppingReply,
  type Admission,
  type CrashReporter,
  type Edge,
  type Exchange,
  type Reply,
} from '../transport/index.ts';
import {
  answerPreflight,
  corsHeaders,
  refuseForeign,
  sourceOf,
  type AccessRules,
  type RateLimit,
} from './access.ts';
import { createBrokenRequests, endWith, type Answering } from './broken-request.ts';
import { hostOf, toExchange, respond, type Sent } from './node-exchange.ts';
import { answerHealth, HEALTH_PATHS } from './health.ts';

export interface ListenerOptions {
  /** The first that serves a path answers it. */
  readonly edges: readonly Edge[];
  readonly host: string;
  /** The name by which clients call it, where that is not the address it listens on. */
  readonly clientHost?: string | undefined;
  readonly port: number;
  readonly rules: AccessRules;
  /** Asked for every request where it is set; without it every caller is one of this machine. */
  readonly authenticate: ((authorization: string | undefined) => Promise<Admission>) | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Of all who are of one tenant, together. */
  readonly tenantRateLimit?: RateLimit | undefined;
  /** Of the bytes that requests bring. */
  readonly uploadLimit: RateLimit | undefined;
  /** Rejects if what is kept on disk cannot be opened. */
  readonly checkStorage: () => Promise<void>;
  /** Told of every answer by its status. */
  readonly onAnswer?: ((status: number) => void) | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newReference: () => string;
  /** How long requests may take to finish once we were asked to stop. */
  readonly graceMs?: number;
}

export interface Listener {
  readonly url: string;
  /** The same, as clients have to write it. */
  readonly clientUrl: string;
  readonly port: number;
  close(): Promise<void>;
}

interface ServeParts extends ListenerOptions {
  readonly reportCrash: CrashReporter;
  readonly isStopping: () => boolean;
}

interface Serving {
  readonly exchange: Exchange;
  readonly outgoing: ServerResponse;
  /** Resolves when the reply is out; never rejects. */
  readonly served: Promise<void>;
}

const NOT_FOUND = { status: 404, message: 'Not Found' } as const;
const GRACE_MS = 5_000;
/** How long a connection may take to notice that its stream has ended. */
const CUT_AFTER_MS = 250;

export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { edges, host, logger, graceMs = GRACE_MS } = options;
  const underWay = new Set<Serving>();
  let stopping = false;
  const reportCrash = createCrashReporter(logger, options.newReference);
  const parts: ServeParts = { ...options, reportCrash, isStopping: () => stopping };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const exchange = toExchange(incoming, outgoing);
    const served = serve(parts, exchange, { incoming, outgoing }).catch(() => void outgoing.destroy());
    const serving = { exchange, outgoing, served };
    underWay.add(serving);
    void served.then(() => underWay.delete(serving));
  };
  /** Answers have the socket one after the other, in the order of their requests. */
  const answeringOn = (socket: Duplex): Answering | undefined => {
    const found = [...underWay].find(({ outgoing }) => outgoing.socket === socket);
    return found && { outgoing: found.outgoing, isStream: found.exchange.note.stream === true };
  };
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      // The times above are only looked at this often.
      connectionsCheckingInterval: 2_000,
      // Both are refused by the guard, in our own form: no Host, and a header that says two things.
      requireHostHeader: false,
      joinDuplicateHeaders: true,
    },
    onRequest,
  );
  // Past a thousand lines Node would leave headers out, and with them what the guard looks at. Their size has a limit.
  server.maxHeadersCount = 0;
  // Node would answer expectations by itself, past every check of ours.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  const onAnswer = (sent: Sent): void => logger.debug('broken request', { ...sent });
  server.on('clientError', createBrokenRequests({ answeringOn, onAnswer }));
  server.on('connect', ({ headers: { host, origin, ...headers } }, socket) => {
    // Node hangs up on CONNECT without a word; it gets the checks and a refusal like any other verb. Behind another
    // request there is no place for one: what a proxy would send next is no HTTP.
    const refusal = refuseForeign(options.rules, { host, origin, site: headers['sec-fetch-site'] });
    if (answeringOn(socket) !== undefined) socket.destroy();
    else onAnswer(endWith(socket, refusal ?? NOT_FOUND));
  });
  await listen(server, host, options.port);
  // Running out of sockets must not end the process.
  server.on('error', ({ message }) => logger.warn('the listener has a problem', { reason: message }));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: toUrl(host, port),
    clientUrl: toUrl(options.clientHost ?? host, port),
    port,
    async close() {
      // Keep accepting during drain, so that clients get 503.
      stopping = true;
      // Calls under way may finish within the grace; streams are ended by the edges.
      const calls = [...underWay].filter(({ exchange }) => isCall(exchange)).map(({ served }) => served);
      await atMost(graceMs, Promise.allSettled(calls));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(edges.map((edge) => edge.close()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS);
      await closed;
      clearTimeout(force);
      logger.debug('stopped listening');
    },
  };
}

function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}/mcp`;
}

/** A timer waits for no longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a client listens to ends with its token, and it comes back with a new one. A call under way is let finish. */
function endWithToken(reply: Reply, exchange: Exchange, clock: Clock): Reply {
  const { expiresAt } = exchange.principal;
  if (reply.kind !== 'stream' || expiresAt === undefined || isCall(exchange)) return reply;
  return {
    ...reply,
    start(sink) {
      const leave = reply.start(sink);
      const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, expiresAt - clock.now()));
      const timer = setTimeout(() => sink.end(), waitMs).unref();
      return () => {
        clearTimeout(timer);
        leave();
      };
    },
  };
}

/** A message that was read and waits for its answer; a subscription is never answered. */
function isCall({ method, note }: Exchange): boolean {
  return method === 'POST' && note.rpcMethod !== undefined && note.rpcMethod !== 'subscriptions/listen';
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, expired]);
  clearTimeout(timer);
}

async function serve(
  options: ServeParts,
  exchange: Exchange,
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
): Promise<void> {
  const { clock, logger, rules } = options;
  const started = clock.elapsed();
  const headers = corsHeaders(incoming.headers.origin, rules);
  let sent: Sent;
  try {
    const reply = await decide(options, incoming, exchange).finally(() =>
      options.uploadLimit?.spend(quotaKey(exchange, incoming), exchange.note.bodyBytes ?? 0),
    );
    exchange.note.stream = reply.kind === 'stream';
    sent = await respond(outgoing, endWithToken(reply, exchange, clock), { headers, exchange });
  } catch (thrown) {
    const message = options.reportCrash('a request crashed', thrown);
    const reply = errorReply({ status: 500, code: RPC.internalError, message, id: exchange.note.id });
    sent = await respond(outgoing, reply, { headers, exchange });
  }
  options.onAnswer?.(sent.status);
  logger.debug('request', {
    verb: exchange.method,
    path: exchange.path,
    method: exchange.note.rpcMethod,
    tool: exchange.note.tool,
    era: exchange.note.era,
    client: exchange.note.client,
    project: exchange.note.projectSource,
    ms: Math.round(clock.elapsed() - started),
    bytes: sent.bytes,
    status: sent.status,
  });
}

async function decide(options: ServeParts, incoming: IncomingMessage, exchange: Exchange): Promise<Reply> {
  const { rules, logger } = options;
  const { origin, authorization } = incoming.headers;
  const host = hostOf(incoming.url, incoming.headers.host);
  const refusal = refuseForeign(rules, { host, origin, site: exchange.header('sec-fetch-site') });
  if (refusal !== undefined) {
    logger.warn(`${refusal.message}: ${refusal.found}`);
    return invalidRequest(refusal.status, refusal.message);
  }
  const isHealth = HEALTH_PATHS.includes(exchange.path);
  const edge = options.edges.find((candidate) => candidate.serves(exchange.path));
  const asksBefore = exchange.method === 'OPTIONS' && (isHealth || edge !== undefined);
  const preflight = asksBefore ? answerPreflight(origin, rules) : undefined;
  const isOpen = isHealth || edge?.asksForItself === true || preflight !== undefined;
  const admission = isOpen ? undefined : await options.authenticate?.(authorization);
  if (admission?.kind === 'admitted') exchange.principal = admission.principal;
  const excess = refuseExcess(exchange, incoming, options);
  if (excess !== undefined) return excess;
  if (preflight !== undefined) return preflight;
  if (isHealth) return answerHealth(exchange, options);
  if (admission?.kind === 'refused') return admission.reply;
  if (options.isStopping()) return stoppingReply(undefined, { Connection: 'close' });
  return (await edge?.handle(exchange)) ?? invalidRequest(NOT_FOUND.status, NOT_FOUND.message);
}

/**
 * Persons and programs with a token of their own are counted by it: behind a proxy all of them have one address. A request that
 * shows none, or a wrong one, is counted by its address.
 */
function quotaKey({ principal }: Exchange, incoming: IncomingMessage): string {
  const isNamed = principal.kind === 'person' || principal.kind === 'api_token';
  return isNamed ? principal.id : sourceOf(incoming.socket.remoteAddress);
}

function refuseExcess(
  exchange: Exchange,
  incoming: IncomingMessage,
  { rateLimit, tenantRateLimit, uploadLimit }: ListenerOptions,
): Reply | undefined {
  const key = quotaKey(exchange, incoming);
  const { tenant } = exchange.principal;
  const requests = rateLimit?.take(key) ?? (tenant === undefined ? undefined : tenantRateLimit?.take(tenant));
  const bytes = requests === undefined ? uploadLimit?.take(key) : undefined;
  const wait = requests ?? bytes;
  if (wait === undefined) return undefined;
  const what = requests === undefined ? 'Too many bytes' : 'Too many requests';
  const message = `${what}. Try again in ${wait} s.`;
  const headers = { 'Retry-After': String(wait) };
  return errorReply({ status: 429, code: RPC.invalidRequest, message, headers });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toListenError(cause, host, port)));
    server.listen(port, host, () => resolve());
  });
}

function toListenError(cause: NodeJS.ErrnoException, host: string, port: number): AppError {
  if (cause.code === 'EADDRINUSE') {
    const next = port < 65_535 ? port + 1 : 0;
    return new AppError('port_in_use', `Port ${port} is already in use. Try: --port ${next}`, { cause });
  }
  return new AppError('cannot_listen', `Cannot listen on ${host}, port ${port}.`, {
    hint: 'Choose another address with --host or another port with --port.',
    cause,
  });
}
