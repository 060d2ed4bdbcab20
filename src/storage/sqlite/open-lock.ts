/**
 * The lock beside a store: who may open it, and who may move it away.
 *
 * It is an empty SQLite file of its own, because SQLite's locks work on every platform and die with their holder. Its three levels are just what is needed: one opener at a time (reserved), any number of users (shared),
 * and alone (exclusive, which no one gets while there is a user). Moving a database that another process has open would
 * send that process's acknowledged writes into the moved file.
 */
import { AppError } from '../../core/index.ts';
import { ensurePrivateFile } from '../../platform/index.ts';
import { type Connection, type Driver, hasErrorCode, translatingErrors } from './driver.ts';

export interface StoreLock {
  /** Runs `work` as the store's only opener, while others may be using it; `storage_busy` if there is another opener. */
  asOnlyOpener<T>(work: () => T): T;
  /** Runs `work` while no other process opens or uses the store; `storage_busy` if one still does. */
  alone<T>(work: () => T): T;
  /** Keeps other openers out until released; `storage_busy` if there is one. */
  hold(): Lease;
  /** Marks the store as in use until released. */
  lease(): Lease;
}

export interface Lease {
  release(): void;
}

export interface StoreLockOptions {
  readonly absPath: string;
  readonly name: string;
}

export function createStoreLock(driver: Driver, { absPath, name }: StoreLockOptions): StoreLock {
  const connect = (): Connection => {
    ensurePrivateFile(absPath);
    return driver.connect(absPath, { readOnly: false, timeout: 0 });
  };

  function acquire(lock: string): Connection {
    try {
      return translatingErrors(name, () => locked(connect(), lock));
    } catch (thrown) {
      // Not `storage_damaged`: that would be taken for the store itself, which may be fine.
      if (!hasErrorCode(thrown, 'storage_damaged')) throw thrown;
      throw new AppError('storage_unavailable', `The lock of ${name} cannot be used.`, {
        hint: `Close all Waymark processes and delete ${absPath}; it holds nothing.`,
        cause: thrown,
      });
    }
  }

  function holding<T>(lock: string, work: () => T): T {
    const connection = acquire(lock);
    try {
      return work();
    } finally {
      unlock(connection);
    }
  }

  return {
    asOnlyOpener: (work) => holding('BEGIN IMMEDIATE', work),
    alone: (work) => holding('BEGIN EXCLUSIVE', work),
    hold: () => {
      const connection = acquire('BEGIN IMMEDIATE');
      return { release: () => unlock(connection) };
    },
    lease: () => {
      const connection = translatingErrors(name, () =>
        locked(connect(), 'BEGIN; SELECT * FROM sqlite_schema'),
      );
      return { release: () => unlock(connection) };
    },
  };
}

function locked(connection: Connection, lock: string): Connection {
  try {
    // Nothing is ever committed here: the file stays empty, and a killed holder leaves no journal behind.
    connection.exec(`PRAGMA journal_mode = MEMORY; ${lock}`);
    return connection;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

function unlock(connection: Connection): void {
  connection.exec('ROLLBACK');
  connection.close();
}
