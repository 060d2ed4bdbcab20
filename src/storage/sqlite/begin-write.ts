/** Takes the write lock, waiting for its turn among others who want it too. */
import type { Connection } from './driver.ts';
import { isLockRefusal } from './storage-error.ts';

/** How long SQLite itself waits per attempt: it looks about once a millisecond. */
const ATTEMPT_MS = 4;

/**
 * Left to itself SQLite looks less and less often, in the end ten times a second. Beside a process that writes without
 * pause the lock is free for moments only, so such a waiter may starve until its time is up.
 */
export function beginWrite(connection: Connection, timeoutMs: number): void {
  connection.exec(`PRAGMA busy_timeout = ${ATTEMPT_MS}`);
  try {
    let waitedMs = 0;
    do waitedMs += ATTEMPT_MS;
    while (!attempt(connection, waitedMs >= timeoutMs));
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
