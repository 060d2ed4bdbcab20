/** One HTTP request and its response: reading the body, writing the answer, ending what takes too long. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOCAL_PRINCIPAL, type Principal } from '../core/index.ts';
import type { Headers, Reply, AccessNote, Body, Exchange, RawBody } from '../transport/index.ts';
import { sourceOf } from './access.ts';

/** A client that lets this much wait does not read; what it asks for must not pile up in our memory. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** What the access line says of a client that left before its answer; never sent. */
const CLIENT_GONE = 499;

export interface RespondOptions {
  readonly headers: Headers;
  /** Its signal is aborted when the client is gone; only asked for where it is needed, because most replies do without. */
  readonly exchange: { readonly signal: AbortSignal };
}

/** What the client was really sent. */
export interface Sent {
  readonly status: number;
  readonly bytes: number;
}

/** Resolves when the reply is out or the client is gone. Rejects if the reply itself breaks, with the head sent or not. */
export function respond(outgoing: ServerResponse, reply: Reply, options: RespondOptions): Promise<Sent> {
  if (outgoing.headersSent) return cutOff(outgoing);
  if (isGone(outgoing)) {
    if (reply.kind === 'stream') reply.start({ write() {}, end() {} })();
    return Promise.resolve({ status: CLIENT_GONE, bytes: 0 });
  }
  // A write after the end emits an error, and an error without a listener ends the process.
  outgoing.on('error', () => {});
  const headers = { 'X-Content-Type-Options': 'nosniff', ...reply.headers, ...options.headers };
  return reply.kind === 'whole'
    ? sendWhole(outgoing, reply, headers)
    : sendStream(outgoing, reply, { headers, signal: options.exchange.signal });
}

type ReplyOf<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;

/** A reply may come before its request has ended. The client gets it whole, and is heard out before we hang up. */
async function sendWhole(
  outgoing: ServerResponse,
  { status, body = '' }: ReplyOf<'whole'>,
  headers: Headers,
): Promise<Sent> {
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'Content-Length': length }) });
  const sent = { status, bytes: outgoing.req.method === 'HEAD' ? 0 : length };
  if (!outgoing.req.complete) {
    outgoing.flushHeaders();
    outgoing.write(body);
    await discardRest(outgoing.req);
    outgoing.end();
    return sent;
  }
  outgoing.end(body);
  return sent;
}

function sendStream(
  outgoing: ServerResponse,
  { status, start }: ReplyOf<'stream'>,
  { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal },
): Promise<Sent> {
  let bytes = 0;
  outgoing.writeHead(status, withoutConnection(headers));
  // A client that waits for the first event must at least see that it is connected.
  outgoing.flushHeaders();
  return new Promise((resolve) => {
    const leave = start({
      write(text) {
        if (outgoing.writableEnded || outgoing.destroyed) return;
        bytes += Buffer.byteLength(text);
        if (outgoing.writableLength > MAX_UNREAD_BYTES) outgoing.destroy();
        else outgoing.write(text);
      },
      end: () => void outgoing.end(),
    });
    const over = (): void => {
      leave();
      resolve({ status, bytes });
    };
    outgoing.once('close', over);
    // A pipelined answer has no socket of its own yet, so only the signal knows that its client went away.
    signal.addEventListener('abort', over, { once: true });
  });
}

/** Whether the connection is kept is between node and the client: replies of the SDK claim that it is. */
function withoutConnection(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'connection'));
}

/** Something broke after the head was sent: a client that is cut off knows, one that is left waiting does not. */
function cutOff(outgoing: ServerResponse): Promise<Sent> {
  outgoing.destroy();
  return Promise.resolve({ status: outgoing.statusCode, bytes: 0 });
}

/** A pipelined answer has no socket of its own yet; one that is ended has said its last word. */
function isGone(outgoing: ServerResponse): boolean {
  const { socket } = outgoing.req;
  return outgoing.destroyed || socket.destroyed || socket.writableEnded;
}

const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
const MAX_DISCARDING_MS = 5_000;

/**
 * Drains the rest of a body whose request is answered already, within bounds. Cutting the connection at once would be cheaper,
 * but a client that is still sending then sees a reset instead of the answer.
 */
function discardRest(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = MAX_DISCARDED_BYTES;
    const timer = setTimeout(() => incoming.destroy(), MAX_DISCARDING_MS).unref();
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    incoming.once('end', done).once('close', done).on('error', done);
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) incoming.destroy();
    });
    // Reading may have been paused half-way.
    incoming.resume();
  });
}

export function toExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  return new NodeExchange(incoming, outgoing);
}

/**
 * A class, not an object with getters: with those, 2.1 KB of each request to /healthz outlived the young collections, with the
 * class 0.15 KB (Node 20). V8 probably makes a long-lived shape for each such object, which keeps the request alive.
 */
class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  principal: Principal = LOCAL_PRINCIPAL;
  readonly note: AccessNote = {};
  projectPath: Exchange['projectPath'] = undefined;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #gone: AbortController | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { url } = parseTarget(incoming.url ?? '/');
    const mark = url.indexOf('?');
    this.method = incoming.method ?? 'GET';
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.url = url;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get clientKey(): string {
    return `${this.principal.id} ${sourceOf(this.#incoming.socket.remoteAddress)}`;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  /** Made when first asked for: most requests are answered without it. */
  get signal(): AbortSignal {
    return (this.#gone ??= watchClient(this.#incoming, this.#outgoing)).signal;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(): Promise<Body> {
    // A compressed body would have to be unpacked before its size is known; no client sends one.
    const coding = this.#incoming.headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity') return { kind: 'malformed' };
    const read = await this.readBytes();
    return read.kind === 'bytes' ? parseBody(read.bytes) : read;
  }

  readBytes(): Promise<RawBody> {
    return readBytes(this.#incoming, { note: this.note, goOn: () => this.#outgoing.writeContinue() });
  }
}

/** Aborts when the client goes away before it has its answer. */
function watchClient(incoming: IncomingMessage, outgoing: ServerResponse): AbortController {
  const controller = new AbortController();
  const leave = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  // A pipelined answer has no socket yet; its client may be gone already.
  if (outgoing.destroyed || incoming.socket.destroyed) controller.abort();
  outgoing.once('close', leave);
  if (outgoing.socket === null) {
    // Pipelined behind another answer: without a socket of its own it does not hear that the client went away.
    // As many may wait as were sent; node would warn of a leak at the eleventh.
    incoming.socket.setMaxListeners(0).once('close', leave);
    outgoing.once('close', () => incoming.socket.off('close', leave));
  }
  return controller;
}

/** What a request line names: mostly a path. Proxies, and clients that take this for one, send a whole address. */
interface RequestTarget {
  /** Path and query. */
  readonly url: string;
  /** The host that an absolute address names; it stands above the Host header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined;
}

function parseTarget(target: string): RequestTarget {
  // The cheap look first: this runs for every request.
  if (target.startsWith('/')) return { url: target, authority: undefined };
  const [, authority, rest = ''] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined) return { url: target, authority: undefined };
  return { url: rest.startsWith('/') ? rest : `/${rest}`, authority };
}

/**
 * The host to check. A request without a Host header, or with two, is wrong whatever its address says, and stays with the
 * header, which no rule allows.
 */
export function hostOf(target: string | undefined, header: string | undefined): string | undefined {
  if (header === undefined || header.includes(',')) return header;
  return parseTarget(target ?? '/').authority ?? header;
}

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A tool call has tens of values, not tens of thousands; validating millions is how servers die. */
export const MAX_BODY_ELEMENTS = 10_000;
export const MAX_BODY_DEPTH = 64;

const EMPTY = Buffer.alloc(0);
const TOO_LARGE: RawBody = { kind: 'too_large', message: `Request body exceeds ${MAX_BODY_BYTES} bytes` };

/** Bounded in bytes, so that no request costs more than its size. `goOn` answers `Expect: 100-continue`. */
function readBytes(
  incoming: IncomingMessage,
  { note, goOn }: { readonly note: AccessNote; readonly goOn: () => void },
): Promise<RawBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(TOO_LARGE);
  if (incoming.destroyed) return Promise.resolve({ kind: 'gone' });
  if (incoming.headers.expect?.toLowerCase() === '100-continue') goOn();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      note.bodyBytes = size;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      incoming.off('data', take).pause();
      resolve(TOO_LARGE);
    };
    incoming
      .on('data', take)
      .once('end', () =>
        resolve({ kind: 'bytes', bytes: chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks) }),
      )
      // A client that hangs up in the middle; after the end this says nothing new.
      .once('close', () => resolve({ kind: 'gone' }))
      .once('error', () => resolve({ kind: 'gone' }));
  });
}

/** Bounded in elements and in depth. */
export function parseBody(given: Uint8Array): Body {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const excess = findExcess(bytes);
  if (excess !== undefined) return { kind: 'too_large', message: excess };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'malformed' };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts in the raw bytes, before anything is built from them. */
function findExcess(bytes: Buffer): string | undefined {
  // Small bodies cannot hold too much: an element takes two bytes.
  if (bytes.length < MAX_BODY_DEPTH) return undefined;
  let elements = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) elements += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      elements += 1;
      depth += 1;
      if (depth > MAX_BODY_DEPTH) return `Request body is nested deeper than ${MAX_BODY_DEPTH} levels`;
    }
    if (elements > MAX_BODY_ELEMENTS) return `Request body has more than ${MAX_BODY_ELEMENTS} elements`;
  }
  return undefined;
}

/**
 * The position of the closing quote; an unclosed string runs to the end. Byte by byte: the built-in search is faster over
 * long strings, but a body of nothing but quotes or escapes would call it two million times.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at;
}
