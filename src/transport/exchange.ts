/** One HTTP request and the reply to it, before any socket or protocol knows of them. */
import type { Principal } from '../core/index.ts';

/** What the access line tells; filled in along the way. */
export interface AccessNote {
  /** The id to answer with if everything else breaks. */
  id?: RequestId;
  rpcMethod?: string;
  tool?: string;
  era?: 'legacy' | 'modern' | 'sse';
  client?: string;
  projectSource?: string;
  /** Whether the answer is a stream, which ends when either side goes away. */
  stream?: boolean;
  /** How large the body was that came with it. */
  bodyBytes?: number;
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_large'; readonly message: string }
  | { readonly kind: 'gone' };

export type RawBody =
  { readonly kind: 'bytes'; readonly bytes: Uint8Array } | Extract<Body, { kind: 'too_large' | 'gone' }>;

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were sent. */
  readonly url: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  readBody(): Promise<Body>;
  /** As it was sent, whatever it is. */
  readBytes(): Promise<RawBody>;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
  readonly note: AccessNote;
  /** Who asks: any program on this machine, until a token says more. */
  principal: Principal;
  /** Tells clients without a session apart: principal and address. */
  readonly clientKey: string;
  /** The project that the URL names; for HTTP+SSE the stream's, unless the message names its own. */
  projectPath: QueryValue | undefined;
  /** What the URL chooses of the listing and the answers, by the same rule. */
  choices?: UrlChoices;
}

/** Whether a request may come in, by what it shows. */
export type Admission =
  | { readonly kind: 'admitted'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly reply: Reply };

/** Serves some paths of the listener. */
export interface Edge {
  /** Has an access check of its own: a browser cannot send the listener's token when it asks for a page. */
  readonly asksForItself?: true;
  serves(path: string): boolean;
  /** Undefined if the path is not one of its own. */
  handle(exchange: Exchange): Promise<Reply> | undefined;
  close(): Promise<void>;
}

/** Several values if the URL gives different ones: which was meant cannot be known. */
export type QueryValue = string | readonly string[];

/** `?toolsets=` and `?structured=` as written; what the URL does not name is left to the server's settings. */
export interface UrlChoices {
  readonly toolsets?: readonly string[];
  readonly structured?: string;
}

/** A query parameter, percent-decoded once. A plus stays a plus: it is a letter of a path, not a space. */
export function readQueryValue(url: string, name: string): QueryValue | undefined {
  const mark = url.indexOf('?');
  const pairs = mark === -1 ? [] : url.slice(mark + 1).split('&');
  const values = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    const key = decodeLeniently(at === -1 ? pair : pair.slice(0, at));
    return key === name ? [decodeLeniently(at === -1 ? '' : pair.slice(at + 1))] : [];
  });
  const different = [...new Set(values)];
  return different.length > 1 ? different : different[0];
}

function decodeLeniently(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export type Headers = Readonly<Record<string, string>>;

/** Where a stream of events is written to. */
export interface StreamSink {
  write(text: string): void;
  end(): void;
}

export type Reply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string | undefined;
    }
  | {
      readonly kind: 'stream';
      readonly status: number;
      readonly headers: Headers;
      /** Called once the head is written; returns what to do when the client goes away. */
      readonly start: (sink: StreamSink) => () => void;
    };

export type RequestId = string | number;

/** JSON-RPC wants an id on every answer; this stands for one that could not be read. */
export const UNKNOWN_ID = 'server-error';

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

const JSON_HEADERS: Headers = { 'Content-Type': 'application/json' };

export function jsonReply(status: number, value: unknown, headers: Headers = {}): Reply {
  return { kind: 'whole', status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(value) };
}

export function emptyReply(status: number, headers: Headers = {}): Reply {
  return { kind: 'whole', status, headers, body: undefined };
}

export interface RpcErrorReply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id?: RequestId | undefined;
  readonly headers?: Headers;
}

/** An error as every client can read it: a JSON-RPC body whatever the status. */
export function errorReply({ status, code, message, id = UNKNOWN_ID, headers = {} }: RpcErrorReply): Reply {
  return jsonReply(status, { jsonrpc: '2.0', id, error: { code, message } }, headers);
}

export function invalidRequest(status: number, message: string, id?: RequestId): Reply {
  return errorReply({ status, code: RPC.invalidRequest, message, id });
}

export function methodNotAllowed(allow: string): Reply {
  const headers = { Allow: allow };
  return errorReply({ status: 405, code: RPC.invalidRequest, message: 'Method Not Allowed', headers });
}

/** For clients that still wait when the server is told to stop. */
export function stopping(id?: RequestId, headers: Headers = {}): Reply {
  const message = 'The server is stopping. Try again later.';
  const later = { 'Retry-After': '5', ...headers };
  return errorReply({ status: 503, code: RPC.internalError, message, id, headers: later });
}

/**
 * GET and DELETE have no body. A proxy and this server could disagree on where an ignored one ends, which is how requests are
 * smuggled; and a stream whose request never ends would be cut by its time limit.
 */
export function refuseContent(exchange: Exchange): Reply | undefined {
  const length = exchange.header('content-length');
  if (exchange.header('transfer-encoding') === undefined && (length === undefined || /^0+$/.test(length)))
    return undefined;
  return invalidRequest(400, `Bad Request: ${exchange.method} has no body`);
}

/** By the media type alone. A header that was sent twice is joined with a comma, and names no one type. */
export function hasJsonBody(exchange: Exchange): boolean {
  const header = exchange.header('content-type') ?? '';
  return /^\s*application\/json\s*(?:;[^,]*)?$/i.test(header);
}

/**
 * The part of a web Request that protocol libraries read, without the cost of a real one. Libraries hand it on untouched, so it
 * also carries the exchange to the handler of the message.
 */
export interface RequestFacade {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  readonly exchange: Exchange;
}

export function toRequestFacade(exchange: Exchange): RequestFacade {
  return new ExchangeRequest(exchange);
}

/** A class, not an object with getters: those keep the request alive for long (http/node-exchange.ts). */
class ExchangeRequest implements RequestFacade {
  readonly exchange: Exchange;
  readonly method: string;
  readonly headers: RequestFacade['headers'];

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.method = exchange.method;
    this.headers = { get: (name) => exchange.header(name.toLowerCase()) ?? null };
  }

  get url(): string {
    return `http://localhost${this.exchange.url}`;
  }

  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}

/** The exchange a message came with, if it came over HTTP. */
export function exchangeOf(request: unknown): Exchange | undefined {
  if (typeof request !== 'object' || request === null || !('exchange' in request)) return undefined;
  // Only toRequestFacade makes requests with this property.
  return (request as RequestFacade).exchange;
}
