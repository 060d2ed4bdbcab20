/** The PostgreSQL client: connections, values of rows, and what its errors mean. Loaded with the first connection. */
import type pg from 'pg';
import { AppError } from '../../core/index.ts';

export type Row = Readonly<Record<string, unknown>>;
export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

/** A process that was killed loses its locks in the middle of a statement, too. Servers on Windows cannot look, and refuse it. */
const LOOK_FOR_CLIENT = 'SET client_connection_check_interval = 250';

/** One connection. Once it is lost it stays lost: nothing is ever sent over another one in its place. */
export interface Connection {
  run(
    sql: string,
    values?: readonly SqlValue[],
  ): Promise<{ readonly rows: readonly Row[]; readonly count: number }>;
  isLost(): boolean;
  /** Called when the other side ends it, and never after `close`. */
  onLost(listener: () => void): void;
  onNotice(listener: (payload: string) => void): void;
  close(): void;
}

/** Says nothing of what was given: it may hold a password. */
export function checkAddress(url: string): void {
  if (/^postgres(?:ql)?:\/\/[^/\s]/.test(url) && URL.canParse(url)) return;
  throw new AppError('bad_config', 'The storage is not the address of a PostgreSQL database.', {
    hint: 'Give it as postgres://user@host:5432/database, or leave it out to keep everything in files.',
  });
}

const BIGINT = 20;
const CONNECT_MS = 5_000;
/** A writer that another one keeps waiting for longer gives up. A host that vanished loses its locks within four seconds. */
const SESSION = [
  'lock_timeout=10000',
  'tcp_keepalives_idle=2',
  'tcp_keepalives_interval=1',
  'tcp_keepalives_count=2',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

export async function connect(url: string): Promise<Connection> {
  const { default: loaded } = await import('pg');
  const client = new loaded.Client({
    connectionString: url,
    application_name: 'waymark',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    options: SESSION,
    types: {
      // Counts and numbers of rows: none of ours is larger than a safe integer.
      getTypeParser: ((oid: number, format: 'text') =>
        oid === BIGINT ? Number : loaded.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  const lost: (() => void)[] = [];
  let isOpen = true;
  const lose = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of lost) listener();
  };
  // Without a listener an error of a connection ends the process.
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.connect();
  } catch (thrown) {
    isOpen = false;
    client.end().catch(() => {});
    throw toStorageError(thrown);
  }
  await client.query(LOOK_FOR_CLIENT).catch(() => {});
  const names = new Map<string, string>();
  return {
    async run(sql, values = []) {
      if (!isOpen) throw connectionLost();
      try {
        if (values.length === 0) {
          // Several statements at once are allowed only so; the answer is the last one's.
          const answer: pg.QueryResult | readonly pg.QueryResult[] = await client.query(sql);
          const last = Array.isArray(answer) ? answer.at(-1) : answer;
          return { rows: last?.rows ?? [], count: last?.rowCount ?? 0 };
        }
        const name = values.length > MOST_NAMED_VALUES ? undefined : nameOf(sql, names);
        const found = await client.query({
          ...(name && { name }),
          text: sql,
          values: values.map(toParameter),
        });
        return { rows: found.rows, count: found.rowCount ?? 0 };
      } catch (thrown) {
        const error = toStorageError(thrown);
        if (isConnectionLost(error)) lose();
        throw error;
      }
    },
    isLost: () => !isOpen,
    onLost: (listener) => void lost.push(listener),
    onNotice: (listener) => void client.on('notification', ({ payload = '' }) => listener(payload)),
    close() {
      isOpen = false;
      client.end().catch(() => {});
    },
  };
}

/** Statements of many rows have as many texts as there are numbers of rows. */
const MOST_NAMED_VALUES = 40;
const MOST_NAMED = 200;

/** A statement with a name is planned once for each connection. */
function nameOf(sql: string, names: Map<string, string>): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_NAMED) return known;
  const name = `w${names.size}`;
  names.set(sql, name);
  return name;
}

function toParameter(value: SqlValue): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

const LOST = new Set(['57P01', '57P02', '57P03', '08000', '08001', '08003', '08006', '25P03', '25006']);
const NETWORK = /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
const ENDED =
  /terminated|not queryable|closed the connection|ended by the other|timeout expired|timeout exceeded/i;
/** Deadlocks, conflicts of serialisation, and a row that was taken away between two statements. */
const REPEATABLE = new Set(['40001', '40P01', '23503']);

/** Foreign texts stay in the cause: they can name users, hosts and values. */
export function toStorageError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const code = codeOf(thrown);
  const isLost =
    LOST.has(code) ||
    NETWORK.test(code) ||
    (code === '' && thrown instanceof Error && ENDED.test(thrown.message));
  if (isLost) return connectionLost(thrown);
  if (code === '55P03')
    return new AppError('storage_busy', 'Another writer did not finish in time.', {
      hint: 'Try again in a moment.',
      cause: thrown,
    });
  const said = REFUSALS.find(([prefix]) => code.startsWith(prefix));
  if (said === undefined) return thrown;
  const [, message, hint] = said;
  return new AppError('storage_unavailable', message, { hint, cause: thrown });
}

const REFUSALS: readonly (readonly [string, string, string])[] = [
  ['28', 'The database refuses the user or the password.', 'Correct the address that --storage gives.'],
  ['3D000', 'The database that --storage names does not exist.', 'Create it, empty, and start again.'],
  ['53300', 'The database accepts no more connections.', 'Raise max_connections, or run fewer instances.'],
  ['53', 'The database is out of disk or memory.', 'Give it more room.'],
  ['42501', 'The database user may not do this.', 'Make the user the owner of the database.'],
];

/** As the database says it of a conflict: the transaction is tried again. */
export function conflict(): Error {
  return Object.assign(new Error('Rows were changed between two statements.'), { code: '40001' });
}

export function isConnectionLost(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'storage_unavailable' && thrown.message === GONE;
}

/** Whether the same transaction may well succeed when it is run again. */
export function isRepeatable(thrown: unknown): boolean {
  return REPEATABLE.has(codeOf(thrown));
}

/** Of the database's own codes. */
export function hasCode(thrown: unknown, code: string): boolean {
  return codeOf(thrown) === code;
}

const GONE = 'The database cannot be reached.';

export function connectionLost(cause?: unknown): AppError {
  return new AppError('storage_unavailable', GONE, {
    hint: 'Look whether the database runs and whether --storage gives its address.',
    cause,
  });
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

export function numberColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column);
  return value;
}

export function textColumn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column);
  return value;
}

export function optionalText(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textColumn(row, column);
}

export function optionalNumber(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : numberColumn(row, column);
}

/** Copied where typed arrays could not begin where it does. */
export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column);
  return value.byteOffset % 8 === 0
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : Uint8Array.from(value);
}

function unexpected(column: string): AppError {
  return new AppError('storage_damaged', `A row of the database has no usable ${column}.`, {
    hint: 'Restore the database from a backup.',
  });
}
