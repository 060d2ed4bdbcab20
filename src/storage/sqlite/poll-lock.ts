/** Waits for a lock that another process holds without blocking this thread: the driver is synchronous, so the lock is polled. */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../platform/index.ts';
import { hasErrorCode } from './storage-error.ts';

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
