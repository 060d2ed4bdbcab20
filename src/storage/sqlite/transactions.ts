/** Every statement runs inside a transaction, because handles to run statements exist nowhere else. */
import { AppError } from '../../core/index.ts';
import {
  type Connection,
  type Row,
  type SqlValue,
  type Statement,
  isReadOnlyRefusal,
  toStorageError,
} from './driver.ts';

export interface ReadTx {
  get(sql: string, ...values: readonly SqlValue[]): Row | undefined;
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
}

export interface WriteTx extends ReadTx {
  run(
    sql: string,
    ...values: readonly SqlValue[]
  ): { readonly changes: number; readonly lastInsertRowid: number };
  /** Several statements at once, without values; for schema changes. */
  script(sql: string): void;
}

/** The driver is synchronous; a transaction that waited would hold the lock, or end before its work does. */
export type Immediate<T> = T extends PromiseLike<unknown> ? never : T;

export interface Transactions {
  /** One consistent view of the store. */
  read<T>(work: (tx: ReadTx) => Immediate<T>): T;
  /**
   * All or nothing. The lock is taken first, so what `work` reads cannot change before it writes. `storage_busy` at once if another
   * process holds it: a store that is open waits for its turn, see `SqliteStore.write`.
   */
  write<T>(work: (tx: WriteTx) => Immediate<T>): T;
}

export interface OpenTransactions extends Transactions {
  /** True while the work of one of them runs. */
  isOpen(): boolean;
  /** Throws if the work of one of them runs. */
  refuseNested(mode: Mode): void;
  /** To be called before the connection itself is used to write: after a read it refuses. */
  allowWrites(): void;
}

export interface TransactionOptions {
  /** What messages call the store. */
  readonly name: string;
  /** How long a read waits where another process recovers the log; it blocks the thread, and takes moments. */
  readonly timeoutMs: number;
  /** Whether the write-ahead log is moved every so many commits. */
  readonly movesLog: boolean;
}

/**
 * SQLite's own rule is to move the log after every commit once it has a thousand pages. Where many write at once it rarely
 * gets to begin anew, so that each commit pays for three waits on the disk instead of one.
 */
const COMMITS_PER_MOVE = 50;

type Mode = 'read' | 'write';

const MOST_STATEMENTS = 200;

export function createTransactions(connection: Connection, options: TransactionOptions): OpenTransactions {
  const { name, timeoutMs, movesLog } = options;
  const prepare = createStatementCache((sql) => connection.prepare(sql));
  // Each of these tells the row that was inserted last, by whatever statement. A full-text index has rows of its own, with numbers so
  // large that Node 26 refuses to say them in any other way.
  const prepareToRun = createStatementCache((sql) => {
    const statement = connection.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  });
  let open: Mode | undefined;
  let entered: Mode | undefined;
  let commits = 0;

  /** Left as it is between transactions: most follow one of their kind, and switching takes longer than a small read. */
  function enter(mode: Mode): void {
    if (mode === entered) return;
    const [refuse, waitMs] = mode === 'read' ? ['ON', Math.trunc(timeoutMs)] : ['OFF', 0];
    connection.exec(`PRAGMA query_only = ${refuse}; PRAGMA busy_timeout = ${waitMs}`);
    entered = mode;
  }

  function refuseNested(mode: Mode): void {
    if (open !== undefined)
      throw new AppError('internal', `A ${mode} on ${name} was started inside another ${open}.`);
  }

  function transact<T>(mode: Mode, work: (tx: WriteTx) => T): T {
    refuseNested(mode);
    const handle = createHandle(connection, { prepare, prepareToRun });
    open = mode;
    try {
      enter(mode);
      // A deferred transaction that reads and then writes fails at once under load, however long the time-out is.
      if (mode === 'write') connection.exec('BEGIN IMMEDIATE');
      else prepareToRun('BEGIN').run();
      const result = work(handle.tx);
      refusePromise(result, name);
      prepareToRun('COMMIT').run();
      return result;
    } catch (thrown) {
      rollBack(connection);
      if (mode === 'read' && isReadOnlyRefusal(thrown)) {
        throw new AppError('internal', `A read on ${name} tried to write.`, { cause: thrown });
      }
      throw toStorageError(thrown, name);
    } finally {
      open = undefined;
      handle.expire();
    }
  }

  return {
    read: <T>(work: (tx: ReadTx) => Immediate<T>): T => transact<T>('read', work),
    write<T>(work: (tx: WriteTx) => Immediate<T>): T {
      const result = transact<T>('write', work);
      commits += 1;
      // Passive: waits for no other connection, and moves what none of them reads.
      if (movesLog && commits % COMMITS_PER_MOVE === 0) connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
      return result;
    },
    isOpen: () => open !== undefined,
    refuseNested,
    allowWrites: () => enter('write'),
  };
}

function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There may be none: it never began, or SQLite ended it itself after a full disk or an I/O error.
    // The error that led here is the one to report.
  }
}

interface Preparers {
  prepare(sql: string): Statement;
  prepareToRun(sql: string): Statement;
}

function createHandle(
  connection: Connection,
  { prepare, prepareToRun }: Preparers,
): { tx: WriteTx; expire(): void } {
  let live = true;
  const statement = (sql: string): Statement => {
    assertLive();
    return prepare(sql);
  };
  const assertLive = (): void => {
    if (!live) throw new AppError('internal', 'A store was used after its transaction had ended.');
  };
  const tx: WriteTx = {
    get: (sql, ...values) => statement(sql).get(...values),
    all: (sql, ...values) => statement(sql).all(...values),
    run: (sql, ...values) => {
      assertLive();
      const done = prepareToRun(sql).run(...values);
      return { changes: Number(done.changes), lastInsertRowid: Number(done.lastInsertRowid) };
    },
    script: (sql) => {
      assertLive();
      connection.exec(sql);
    },
  };
  return { tx, expire: () => (live = false) };
}

function refusePromise(result: unknown, name: string): void {
  if (
    typeof result !== 'object' ||
    result === null ||
    !('then' in result) ||
    typeof result.then !== 'function'
  )
    return;
  // Its work was rolled back and its handle has expired, so it may well reject; the error below is the one that counts.
  Promise.resolve(result).catch(() => undefined);
  throw new AppError('internal', `A transaction on ${name} was given asynchronous work.`);
}

/** Compiling costs more than running for most of our statements. The oldest goes first: texts are few and fixed. */
function createStatementCache(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const cache = new Map<string, Statement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const [oldest] = cache.keys();
    if (cache.size >= MOST_STATEMENTS && oldest !== undefined) cache.delete(oldest);
    const fresh = prepare(sql);
    cache.set(sql, fresh);
    return fresh;
  };
}
