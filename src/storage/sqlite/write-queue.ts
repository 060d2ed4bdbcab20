/** Waiting for locks that other processes hold, without blocking this thread: the driver is synchronous, so a lock is polled. */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../platform/index.ts';
import { hasErrorCode } from './driver.ts';

/** The writes of one connection, in the order they were asked for; reads go on meanwhile. */
export interface WriteQueue {
  /** Runs `work` in its turn; it begins the transaction, and is refused while another process holds the lock. */
  run<T>(work: () => T, signal?: AbortSignal): Promise<T>;
}

/**
 * Poll faster with age: roughly FIFO among processes. SQLite's own busy handler polls ever slower, and starves beside a process that
 * writes without a pause.
 */
function everyMs(waitedMs: number): number {
  if (waitedMs < 6) return 4;
  return waitedMs < 25 ? 2 : 1;
}

/** `timeoutMs` counts from when a write was asked for, its turn included. */
export function createWriteQueue(timeoutMs: number): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work, signal) {
      const since = systemClock.elapsed();
      const poll = { timeoutMs, everyMs, since, signal };
      const done = last.then(() => pollLock(work, poll));
      // The next one has its turn whatever became of this one.
      last = done.catch(() => {});
      return done;
    },
  };
}

export interface PollOptions {
  readonly timeoutMs: number;
  /** How long to wait until the next attempt, by how long it has waited. */
  readonly everyMs: (waitedMs: number) => number;
  /** When the wait began, if that was earlier. */
  readonly since?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Attempts until one does not throw `storage_busy`; rejects with the last refusal when time is up. */
export async function pollLock<T>(attempt: () => T, options: PollOptions): Promise<T> {
  const { timeoutMs, everyMs, since = systemClock.elapsed(), signal } = options;
  for (;;) {
    signal?.throwIfAborted();
    const waitedMs = systemClock.elapsed() - since;
    try {
      return attempt();
    } catch (thrown) {
      if (waitedMs >= timeoutMs || !hasErrorCode(thrown, 'storage_busy')) throw thrown;
    }
    await delay(everyMs(waitedMs), undefined, { signal });
  }
}
