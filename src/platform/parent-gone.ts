/** Notices that the process which started us has died, for clients that are killed without closing our input. */

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
