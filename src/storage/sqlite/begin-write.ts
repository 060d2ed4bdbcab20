/** Takes the write lock, waiting for its turn among others who want it too. */
import type { Connection } from './driver.ts';
import { isLockRefusal } from './storage-error.ts';

/**
 * How often the lock is looked at, by how long one has waited. Left to itself SQLite looks less and less often, in the end ten
 * times a second, and starves beside a process that writes without pause. Here it is the other way round: whoever looks most
 * often is the likeliest to get the lock when it is free, so those who came first mostly go first.
 */
const LOOKS: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 6, everyMs: 4 },
  { untilMs: 25, everyMs: 2 },
  { untilMs: 60, everyMs: 1 },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 0.5 },
];

export function beginWrite(connection: Connection, timeoutMs: number): void {
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    let waitedMs = 0;
    while (!attempt(connection, waitedMs >= timeoutMs)) waitedMs += pause(waitedMs);
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${Math.trunc(timeoutMs)}`);
  }
}

function attempt(connection: Connection, isLast: boolean): boolean {
  try {
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (thrown) {
    if (isLast || !isLockRefusal(thrown)) throw thrown;
    return false;
  }
}

/** The driver is synchronous, and so is the wait: nobody else may use the connection meanwhile. */
function pause(waitedMs: number): number {
  const everyMs = LOOKS.find(({ untilMs }) => waitedMs < untilMs)?.everyMs ?? 1;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, everyMs);
  return everyMs;
}
