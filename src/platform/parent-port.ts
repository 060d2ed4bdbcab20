/** The child's side of startChild: messages from and to the parent, and an end when the parent is gone. */
import { Worker } from 'node:worker_threads';

export interface ParentPort {
  onMessage(listener: (message: unknown) => void): void;
  /** Resolves when it is out of our hands: whatever happens to us then, the parent hears it. */
  send(message: object): Promise<void>;
  /** The last words, then nothing more: for a process that no longer trusts itself. */
  sendAndEnd(message: object): Promise<void>;
}

// The thread that works may hang in foreign code for ever, so another one waits for the end of the input that the parent
// holds open. It comes at once and needs no asking; asking for `process.ppid` every second was seen to miss it.
const WATCH_PARENT = `
const { readSync } = require('node:fs');
const byte = new Uint8Array(1);
function wait() {
  try {
    if (readSync(0, byte, 0, 1, null) > 0) return setImmediate(wait);
  } catch (error) {
    if (error.code === 'EAGAIN') return setTimeout(wait, 500);
  }
  process.kill(process.pid, 'SIGKILL');
}
wait();
`;

export function openParentPort(): ParentPort {
  process.on('disconnect', endNow);
  new Worker(WATCH_PARENT, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
  return {
    onMessage: (listener) => void process.on('message', listener),
    send,
    sendAndEnd: (message) => send(message).then(endNow),
  };
}

function send(message: object): Promise<void> {
  return new Promise((resolve) => {
    // A failure is no matter: the channel is gone with the parent, and `disconnect` ends us.
    process.send?.(message, undefined, undefined, () => resolve());
  });
}

function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}
