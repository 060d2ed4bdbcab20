/** Bytes that are no HTTP never become a request; they still get an answer in our own form. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidRequest } from '../mcp/index.ts';
import type { Sent } from './respond.ts';

const BROKEN: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};
const NO_HTTP = [400, 'not a valid HTTP request'] as const;

export interface BrokenRequestOptions {
  /** The answer whose turn it is on this connection, if it is not out yet. */
  readonly answeringOn: (socket: Duplex) => ServerResponse | undefined;
  /** Hears what was sent. */
  readonly onAnswer: (sent: Sent) => void;
}

export type BrokenRequests = (error: NodeJS.ErrnoException, socket: Duplex) => void;

export function createBrokenRequests({ answeringOn, onAnswer }: BrokenRequestOptions): BrokenRequests {
  // Once its parser has failed, a connection reports the same failure with everything that still arrives.
  const waiting = new WeakSet<Duplex>();

  return function answer(error, socket) {
    if (waiting.has(socket)) return;
    const current = answeringOn(socket);
    // Whatever is written into the middle of an answer becomes a part of it.
    if (
      error.code === 'ECONNRESET' ||
      !socket.writable ||
      (current?.headersSent === true && !current.writableEnded)
    ) {
      socket.destroy();
      return;
    }
    if (current?.req.complete === true) {
      // That request was in order; what broke came behind it, and so does what we say about it.
      waiting.add(socket);
      current.once('close', () => {
        waiting.delete(socket);
        answer(error, socket);
      });
      return;
    }
    const [status, message] = BROKEN[error.code ?? ''] ?? NO_HTTP;
    onAnswer(endWith(socket, { status, message: `${STATUS_CODES[status] ?? ''}: ${message}` }));
  };
}

/** The last word on a connection that no response of node's stands for. */
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
  // Unheard, an error would end the process; unread, what still comes would reset the connection before it is read.
  socket.on('error', () => socket.destroy());
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { status, bytes };
}
