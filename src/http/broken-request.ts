/** Bytes that are no HTTP never become a request; they still get an answer in our own form. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidRequest } from '../transport/index.ts';
import type { Sent } from './node-exchange.ts';

const BROKEN: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};
/** How long a client may take to hang up once it was told why. */
const HANG_UP_AFTER_MS = 2_000;
const NO_HTTP = [400, 'not a valid HTTP request'] as const;

export interface Answering {
  readonly outgoing: ServerResponse;
  /** A stream has no end of its own to wait for. */
  readonly isStream: boolean;
}

export interface BrokenRequestOptions {
  /** The answer whose turn it is on this connection, if it is not out yet. */
  readonly answeringOn: (socket: Duplex) => Answering | undefined;
  /** Hears what was sent. */
  readonly onAnswer: (sent: Sent) => void;
}

export type BrokenRequests = (error: NodeJS.ErrnoException, socket: Duplex) => void;

export function createBrokenRequests({ answeringOn, onAnswer }: BrokenRequestOptions): BrokenRequests {
  // Once its parser has failed, a connection reports the same failure with everything that still arrives.
  const waiting = new WeakSet<Duplex>();

  return function answer(error, socket) {
    // The connection ends with the answer to the request that asked to close; what follows it is dropped.
    if (waiting.has(socket) || error.code === 'HPE_CLOSED_CONNECTION') return;
    // The last answer is on its way; to hang up now might lose it.
    if (socket.writableEnded && error.code !== 'ECONNRESET') return;
    const current = answeringOn(socket);
    // An error written into the middle of an answer would become a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || (current !== undefined && isCut(current))) {
      socket.destroy();
      return;
    }
    if (current?.outgoing.req.complete === true) {
      // That request was in order; what broke came behind it, and so does the answer to it.
      waiting.add(socket);
      current.outgoing.once('close', () => {
        waiting.delete(socket);
        answer(error, socket);
      });
      return;
    }
    const [status, message] = BROKEN[error.code ?? ''] ?? NO_HTTP;
    onAnswer(endWith(socket, { status, message: `${STATUS_CODES[status] ?? ''}: ${message}` }));
  };
}

/** An answer that has begun and never ends, or whose own request is what broke. */
function isCut({ outgoing, isStream }: Answering): boolean {
  return outgoing.headersSent && (isStream || !outgoing.req.complete);
}

/** The last answer on a connection, where node has no response object. */
export function endWith(
  socket: Duplex,
  { status, message }: { readonly status: number; readonly message: string },
): Sent {
  const reply = invalidRequest(status, message);
  const body = reply.kind === 'whole' ? (reply.body ?? '') : '';
  const bytes = Buffer.byteLength(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${bytes}`,
    'Connection: close',
  ];
  // An error without a listener would end the process; unread input would reset the connection before the answer is read.
  socket.on('error', () => socket.destroy());
  socket.resume().once('close', () => clearTimeout(timer));
  const timer = setTimeout(() => socket.destroy(), HANG_UP_AFTER_MS).unref();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { status, bytes };
}
