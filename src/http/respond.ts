/** Writes a reply to a socket. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../mcp/index.ts';
import { discardRest } from './discard-rest.ts';

/** Resolves with the number of body bytes when the reply is out or the client is gone. */
export function respond(
  outgoing: ServerResponse,
  reply: Reply,
  extra: Readonly<Record<string, string>>,
): Promise<number> {
  if (outgoing.destroyed || outgoing.headersSent) return Promise.resolve(0);
  const headers = { 'X-Content-Type-Options': 'nosniff', ...reply.headers, ...extra };
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
        outgoing.write(text);
      },
      end: () => void outgoing.end(),
    });
    outgoing.once('close', () => {
      leave();
      resolve(bytes);
    });
    if (outgoing.destroyed) leave();
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
