/** An open store: transactions, its queue of writes and the thorough check, until it is closed. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/index.ts';
import { systemClock } from '../../platform/index.ts';
import type { Connected } from './connect.ts';
import { copyStore } from './repair/copy-store.ts';
import { type Connection, hasErrorCode, translatingErrors } from './driver.ts';
import type { StoreLock, Lease } from './open-lock.ts';
import type { Immediate, OpenTransactions, Transactions, WriteTx } from './transactions.ts';
import { verifyStore, type Verdict } from './repair/verify.ts';

export interface SqliteStore extends Pick<Transactions, 'read'> {
  /**
   * All or nothing, in the order it was asked for. Waits for the lock of another process without blocking this thread: reads go on.
   * `storage_busy` when that takes too long; `signal` ends the wait, not the work.
   */
  write<T>(work: (tx: WriteTx) => Immediate<T>, signal?: AbortSignal): Promise<T>;
  verify(): Promise<Verdict>;
  /** Writes a consistent copy to a file that does not exist yet; others may go on writing. */
  copyTo(absPath: string): void;
  /** Moves the log into the main file and lets go of it. Closing twice is fine. */
  close(): void;
}

export interface StoreOptions {
  readonly storeLock: StoreLock;
  readonly name: string;
  /** How long a write waits for its turn. */
  readonly timeoutMs: number;
}

/** Takes over the connection. Call as the store's one opener still, so that no other moves the file before it is leased. */
export function createStore({ connection, transactions }: Connected, options: StoreOptions): SqliteStore {
  const { storeLock, name } = options;
  const lease = leaseOrClose(storeLock, connection);
  const queue = createWriteQueue(options.timeoutMs);
  let closed = false;
  const inUse = (): OpenTransactions => {
    if (closed) throw new AppError('internal', `The store ${name} was used after it had been closed.`);
    return transactions;
  };
  return {
    read: (work) => inUse().read(work),
    write(work, signal) {
      inUse().refuseNested('write');
      return queue.run(() => inUse().write(work), signal);
    },
    verify() {
      inUse();
      return queue.run(() => verifyStore(inUse()));
    },
    copyTo: (absPath) => {
      inUse();
      translatingErrors(name, () => {
        transactions.allowWrites();
        copyStore(connection, absPath);
      });
    },
    close: () => {
      if (closed) return;
      if (transactions.isOpen())
        throw new AppError('internal', `The store ${name} was closed inside a transaction.`);
      closed = true;
      try {
        translatingErrors(name, () => {
          transactions.allowWrites();
          closeConnection(connection);
        });
      } finally {
        lease.release();
      }
    },
  };
}

function leaseOrClose(storeLock: StoreLock, connection: Connection): Lease {
  try {
    return storeLock.lease();
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

function closeConnection(connection: Connection): void {
  try {
    // Without waiting: while others read or write, the log is theirs to move, and nothing is lost by leaving it.
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}

/** The writes of one connection, in the order they were asked for; reads go on meanwhile. */
interface WriteQueue {
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
function createWriteQueue(timeoutMs: number): WriteQueue {
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

/**
 * Waits for a lock that another process holds without blocking this thread: the driver is synchronous, so it is polled.
 * Attempts until one does not throw `storage_busy`; rejects with the last refusal when time is up.
 */
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
