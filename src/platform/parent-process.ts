/** What started us: whether it is still there, and what it pipes in. */

const EVERY_MS = 500;

/** Resolves when the parent is gone; never after the signal was aborted. */
export function parentGone(signal: AbortSignal): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      // An orphan is given to another parent, so a changed number is a dead one.
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, EVERY_MS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}

/** Everything that is piped in, as text. */
export async function readStandardInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
