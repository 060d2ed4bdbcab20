/** An open store: transactions and the thorough check, until it is closed. */
import { AppError } from '../../core/index.ts';
import type { Connected } from './connect.ts';
import { copyStore } from './repair/copy-store.ts';
import { type Connection, translatingErrors } from './driver.ts';
import type { StoreLock, Lease } from './open-lock.ts';
import type { Immediate, OpenTransactions, Transactions, WriteTx } from './transactions.ts';
import { createWriteQueue } from './write-queue.ts';
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
