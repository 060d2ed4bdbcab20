/** A database over several connections: reads that are repeated when one is lost, and writes that happen once. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Logger } from '../../core/index.ts';
import { systemClock } from '../../platform/index.ts';
import { type CommitMark, forgetOldMarks, isCommitted, markCommit } from './commit-mark.ts';
import { isConnectionLost, isRepeatable, type Connection, type Row, type SqlValue } from './driver.ts';
import { connectAs } from './release.ts';

export interface Queries {
  all(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** How many rows it concerned. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}

export interface Database {
  /** A statement that changes nothing, or the same when it is repeated. */
  all: Queries['all'];
  /** Several reads of one moment. */
  snapshot<T>(read: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * All or nothing, and once: if the connection is lost at the commit, the database is asked what became of it. `work` runs again
   * where it was rolled back.
   */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Throws at once if the database does not answer. */
  check(): Promise<void>;
  /** A connection for its caller alone; `letGo` gives it back if it is not lost. */
  hold(): Promise<HeldConnection>;
  close(): Promise<void>;
}

export interface HeldConnection {
  readonly connection: Connection;
  letGo(): void;
}

export interface DatabaseOptions {
  readonly mostConnections?: number;
  /** Of the schema that the caller knows. */
  readonly version?: number;
}

const MOST_CONNECTIONS = 8;
const IDLE_MS = 30_000;
/** How long a call waits for a database that is away. */
const AWAY_MS = 10_000;
/** After so many writes old marks are let go. */
const SWEEP_EVERY = 1_000;

export function createDatabase(
  url: string,
  logger: Logger,
  { mostConnections = MOST_CONNECTIONS, version }: DatabaseOptions = {},
): Database {
  const pool = createPool(() => connectAs(url, version), mostConnections);
  let isClosed = false;
  let writes = 0;

  /** Repeats what was cut off, until the database has been away for too long. */
  async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const until = systemClock.elapsed() + AWAY_MS;
    for (let count = 0; ; count += 1) {
      if (isClosed) throw new AppError('internal', 'The database was used after it had been closed.');
      try {
        return await attempt();
      } catch (thrown) {
        const mayRepeat = isConnectionLost(thrown) || isRepeatable(thrown);
        if (!mayRepeat || systemClock.elapsed() >= until) throw thrown;
        if (count === 0) logger.debug('a statement is repeated', { reason: reasonOf(thrown) });
        await delay(backoffMs(count));
      }
    }
  }

  async function using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const held = await pool.take();
    try {
      return await work(held.connection);
    } finally {
      held.letGo();
    }
  }

  const write = async <T>(work: (queries: Queries) => Promise<T>): Promise<T> => {
    const committed = await patiently(() => using((connection) => tryToCommit(connection, work)));
    writes += 1;
    // Beside it: what is committed has not failed because something else did.
    if (writes % SWEEP_EVERY === 0) using(forgetOldMarks).catch(() => {});
    if (committed.isKnown) return committed.result;
    const isDone = await patiently(() => using((connection) => isCommitted(connection, committed.mark)));
    return isDone ? committed.result : write(work);
  };

  return {
    all: (sql, ...values) => patiently(() => using(async (one) => (await one.run(sql, values)).rows)),
    snapshot: (read) =>
      patiently(() =>
        using((connection) =>
          transact(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () =>
            read(toQueries(connection)),
          ),
        ),
      ),
    write,
    check: () => using(async (connection) => void (await connection.run('SELECT 1'))),
    hold: () => patiently(() => pool.take()),
    async close() {
      isClosed = true;
      pool.close();
    },
  };
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof AppError ? thrown.code : 'conflict';
}

/** Doubles up to a second, and spreads those that were cut off together: no two ask at the same microsecond. */
function backoffMs(count: number): number {
  return Math.min(1_000, 10 * 2 ** Math.min(count, 7)) * (0.5 + (systemClock.elapsed() % 1));
}

export function toQueries(connection: Connection): Queries {
  return {
    all: async (sql, ...values) => (await connection.run(sql, values)).rows,
    run: async (sql, ...values) => (await connection.run(sql, values)).count,
  };
}

/** One transaction on this connection, which is not tried again. */
export async function transact<T>(connection: Connection, begin: string, work: () => Promise<T>): Promise<T> {
  await connection.run(begin);
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (thrown) {
    // On a lost connection there is nothing left to roll back.
    await connection.run('ROLLBACK').catch(() => {});
    throw thrown;
  }
}

type Committed<T> =
  | { readonly isKnown: true; readonly result: T }
  /** Whether it was committed only the database knows. */
  | { readonly isKnown: false; readonly result: T; readonly mark: CommitMark };

async function tryToCommit<T>(
  connection: Connection,
  work: (queries: Queries) => Promise<T>,
): Promise<Committed<T>> {
  let done: { readonly result: T; readonly mark: CommitMark | undefined } | undefined;
  try {
    return await transact(connection, 'BEGIN', async () => {
      const result = await work(toQueries(connection));
      done = { result, mark: await markCommit(connection) };
      return { isKnown: true, result };
    });
  } catch (thrown) {
    if (done === undefined || !isConnectionLost(thrown)) throw thrown;
    const { result, mark } = done;
    return mark === undefined ? { isKnown: true, result } : { isKnown: false, result, mark };
  }
}

interface Pool {
  take(): Promise<HeldConnection>;
  close(): void;
}

/** Connections that are idle are used again, the one used last first; those beyond the limit are waited for. */
function createPool(open: () => Promise<Connection>, most: number): Pool {
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const live = new Set<Connection>();
  let opening = 0;
  let isClosed = false;

  const drop = (connection: Connection): void => {
    const at = idle.findIndex((one) => one.connection === connection);
    const [found] = at < 0 ? [] : idle.splice(at, 1);
    clearTimeout(found?.timer);
    if (live.delete(connection)) waiting.shift()?.();
  };
  const giveBack = (connection: Connection): void => {
    if (isClosed) return connection.close();
    const timer = setTimeout(() => {
      drop(connection);
      connection.close();
    }, IDLE_MS);
    timer.unref();
    idle.push({ connection, timer });
    waiting.shift()?.();
  };
  const lend = (connection: Connection): HeldConnection => {
    let isHeld = true;
    return {
      connection,
      letGo() {
        if (!isHeld) return;
        isHeld = false;
        if (connection.isLost()) drop(connection);
        else giveBack(connection);
      },
    };
  };

  return {
    async take() {
      for (;;) {
        const free = idle.pop();
        if (free !== undefined) {
          clearTimeout(free.timer);
          return lend(free.connection);
        }
        if (live.size + opening < most) break;
        await new Promise<void>((resolve) => void waiting.push(resolve));
      }
      opening += 1;
      try {
        const connection = await open();
        live.add(connection);
        connection.onLost(() => drop(connection));
        return lend(connection);
      } catch (thrown) {
        waiting.shift()?.();
        throw thrown;
      } finally {
        opening -= 1;
      }
    },
    close() {
      isClosed = true;
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer);
        connection.close();
      }
      for (const wake of waiting.splice(0)) wake();
    },
  };
}
