/** What to do with the rest of a body whose request is answered already. */
import type { IncomingMessage } from 'node:http';

const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
const MAX_DISCARDING_MS = 5_000;

/**
 * Reads on and throws away, within bounds; resolves when nothing more will come. Cutting the connection at once would be
 * cheaper, but a client that is still sending then sees a reset instead of our answer.
 */
export function discardRest(incoming: IncomingMessage): Promise<void> {
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
    // Whoever stopped reading half-way has paused it.
    incoming.resume();
  });
}
