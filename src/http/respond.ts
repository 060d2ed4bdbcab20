/** Writes a reply to a socket. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../mcp/index.ts';
import { discardRest } from './discard-rest.ts';

/** A client that lets this much wait does not read; what it asks for must not pile up in our memory. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** What the access line says of a client that left before its answer; never sent. */
const CLIENT_GONE = 499;

export interface RespondOptions {
  readonly headers: Readonly<Record<string, string>>;
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
  // Nobody else listens for what a write after the end comes to, and an error nobody hears ends the process.
  outgoing.on('error', () => {});
  const headers = { 'X-Content-Type-Options': 'nosniff', ...reply.headers, ...options.headers };
  return reply.kind === 'whole'
    ? sendWhole(outgoing, reply, headers)
    : sendStream(outgoing, reply, { headers, signal: options.exchange.signal });
}

type ReplyOf<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;
type SentHeaders = RespondOptions['headers'];

/** A reply may come before its request has ended. The client gets it whole, and is heard out before we hang up. */
async function sendWhole(
  outgoing: ServerResponse,
  { status, body = '' }: ReplyOf<'whole'>,
  headers: SentHeaders,
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
  { headers, signal }: { readonly headers: SentHeaders; readonly signal: AbortSignal },
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
function withoutConnection(headers: SentHeaders): SentHeaders {
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
