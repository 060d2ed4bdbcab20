/** The writes of one connection: in the order they were asked for, each waiting for locks of other processes while reads go on. */
import { systemClock } from '../../platform/index.ts';
import { pollLock } from './poll-lock.ts';

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
