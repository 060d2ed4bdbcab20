/** Writes a reply to a socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Headers, Reply } from '../transport/index.ts';

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
