/** Writes a reply to a socket. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../mcp/index.ts';
import { discardRest } from './discard-rest.ts';

/** A client that lets this much wait does not read; what it asks for must not pile up in our memory. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

export interface RespondOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Resolves with the number of body bytes when the reply is out or the client is gone. */
export function respond(outgoing: ServerResponse, reply: Reply, options: RespondOptions): Promise<number> {
  const { signal } = options;
  if (outgoing.headersSent) return Promise.resolve(0);
  if (signal.aborted) {
    if (reply.kind === 'stream') reply.start({ write() {}, end() {} })();
    return Promise.resolve(0);
  }
  const headers = { 'X-Content-Type-Options': 'nosniff', ...reply.headers, ...options.headers };
  if (reply.kind === 'whole') {
    const body = reply.body ?? '';
    const length = Buffer.byteLength(body);
    outgoing.writeHead(reply.status, {
      ...headers,
      ...(reply.status === 204 ? {} : { 'Content-Length': length }),
    });
    finish(outgoing, body);
    return Promise.resolve(length);
  }
  let bytes = 0;
  outgoing.writeHead(reply.status, headers);
  // A client that waits for the first event must at least see that it is connected.
  outgoing.flushHeaders();
  return new Promise((resolve) => {
    const leave = reply.start({
      write(text) {
        if (outgoing.writableEnded) return;
        bytes += Buffer.byteLength(text);
        if (outgoing.writableLength > MAX_UNREAD_BYTES) outgoing.destroy();
        else outgoing.write(text);
      },
      end: () => void outgoing.end(),
    });
    const over = (): void => {
      leave();
      resolve(bytes);
    };
    outgoing.once('close', over);
    // A pipelined answer has no socket of its own yet, so only the signal knows that its client went away.
    signal.addEventListener('abort', over, { once: true });
  });
}

/** A reply may come before its request has ended. The client gets it whole, and is heard out before we hang up. */
function finish(outgoing: ServerResponse, body: string): void {
  if (outgoing.req.complete) {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  outgoing.write(body);
  void discardRest(outgoing.req).then(() => outgoing.end());
}
