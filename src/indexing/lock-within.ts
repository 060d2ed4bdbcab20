/** The writer's lock, if it becomes free in time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { WriterLock } from '../storage/index.ts';

const RETRY_MS = 50;

/** Undefined if somebody else holds it all the while. Throws the signal's reason when it is aborted. */
export async function lockWithin(
  tryLock: () => Promise<WriterLock | undefined>,
  ms: number,
  signal: AbortSignal,
): Promise<WriterLock | undefined> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    signal.throwIfAborted();
    const lock = await tryLock();
    if (lock !== undefined || waitedMs >= ms) return lock;
    await delay(RETRY_MS, undefined, { signal });
  }
}
