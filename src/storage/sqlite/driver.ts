/** The SQLite driver: opening, statements, columns, and what its errors mean. */
import { AppError, once } from '../../core/index.ts';

const PRIMARY = {
  error: 1,
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  protocol: 15,
  nolfs: 22,
  notadb: 26,
} as const;

const BUSY: readonly number[] = [PRIMARY.busy, PRIMARY.locked, PRIMARY.protocol];
const DAMAGED: readonly number[] = [PRIMARY.corrupt, PRIMARY.notadb];
const UNAVAILABLE: readonly number[] = [
  PRIMARY.perm,
  PRIMARY.readonly,
  PRIMARY.ioerr,
  PRIMARY.full,
  PRIMARY.cantopen,
  PRIMARY.nolfs,
];

const TEXTS: readonly (readonly [string, number])[] = [
  ['is locked', PRIMARY.busy],
  ['malformed', PRIMARY.corrupt],
  // No number of ours is: the file was made or changed by another program.
  ['too large to be represented', PRIMARY.corrupt],
  ['corrupt', PRIMARY.corrupt],
  ['file is not a database', PRIMARY.notadb],
  ['readonly database', PRIMARY.readonly],
  ['disk I/O error', PRIMARY.ioerr],
  ['disk is full', PRIMARY.full],
  ['unable to open database file', PRIMARY.cantopen],
];

/** Whatever was thrown while working on the store `name`. An error of the caller's own passes unchanged. */
export function toStorageError(thrown: unknown, name: string): unknown {
  if (thrown instanceof AppError) return thrown;
  const code = sqliteCode(thrown);
  if (code !== undefined) return fromSqlite(code, name, thrown);
  return isFileSystemError(thrown) ? unavailable(name, thrown) : thrown;
}

/** Runs `work` and speaks of its failures in our words. */
export function translatingErrors<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw toStorageError(thrown, name);
  }
}

/** SQLite refused to write: the file, the directory or the connection is read-only. */
export function isReadOnlyRefusal(thrown: unknown): boolean {
  return sqliteCode(thrown) === PRIMARY.readonly;
}

export function hasErrorCode(thrown: unknown, code: AppError['code']): thrown is AppError {
  return thrown instanceof AppError && thrown.code === code;
}

function fromSqlite(code: number, name: string, cause: unknown): AppError {
  if (BUSY.includes(code)) {
    return new AppError('storage_busy', `Another process is writing to ${name} and did not finish in time.`, {
      hint: 'Try again in a moment.',
      cause,
    });
  }
  if (DAMAGED.includes(code)) {
    return new AppError('storage_damaged', `The store ${name} is damaged.`, {
      hint: 'Run `waymark doctor`.',
      cause,
    });
  }
  if (UNAVAILABLE.includes(code)) return unavailable(name, cause);
  return new AppError('internal', `The store ${name} refused a statement.`, { cause });
}

function unavailable(name: string, cause: unknown): AppError {
  return new AppError('storage_unavailable', `The store ${name} cannot be read or written.`, {
    hint: 'Check free disk space and that its directory belongs to you and is writable.',
    cause,
  });
}

/** The primary result code, which extended codes carry in their low byte. Undefined if SQLite did not throw this. */
function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('errcode' in thrown && typeof thrown.errcode === 'number') return thrown.errcode & 0xff;
  if (!('code' in thrown)) return undefined;
  if (thrown.code === 'ERR_OUT_OF_RANGE') return PRIMARY.corrupt;
  return thrown.code === 'ERR_SQLITE_ERROR' ? codeFromText(thrown.message) : undefined;
}

/** The bundled driver leaves the code out when `all` fails; SQLite's texts for the codes are fixed. */
function codeFromText(message: string): number {
  return TEXTS.find(([text]) => message.includes(text))?.[1] ?? PRIMARY.error;
}

function isFileSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown && 'code' in thrown;
}

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: readonly SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** From then on whole numbers come as bigints. */
  setReadBigInts(active: boolean): void;
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Makes a JavaScript function callable from SQL. */
  function(name: string, options: { readonly varargs: true }, call: (...values: SqlValue[]) => null): void;
  /**
   * The bundled driver does not finalize statements here: a connection that prepared any lingers until they are collected,
   * with its files open and any transaction still holding its locks.
   */
  close(): void;
  /** Absent from Node 22. */
  enableDefensive?(active: boolean): void;
}

export interface ConnectionOptions {
  readonly readOnly: boolean;
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly timeout: number;
}

/** The part of the `node:sqlite` module that we use. */
export interface SqliteModule {
  readonly DatabaseSync: new (location: string, options: ConnectionOptions) => Connection;
}

export interface Driver {
  readonly kind: 'builtin' | 'bundled';
  readonly sqliteVersion: string;
  connect(location: string, options: ConnectionOptions): Connection;
}

/** Where drivers come from; tests pass other ones. */
export interface DriverSources {
  builtin(): unknown;
  bundled(): Promise<unknown>;
}

const INSTALLED: DriverSources = {
  builtin: loadBuiltinQuietly,
  bundled: async () => import('@photostructure/sqlite'),
};

/** Nothing is loaded before this is called: most commands never open a store. Looking at what is installed opens a database, once. */
export function loadDriver(sources?: DriverSources): Promise<Driver> {
  return sources === undefined ? loadInstalled() : loadFrom(sources);
}

const loadInstalled = once(() => loadFrom(INSTALLED));

async function loadFrom(sources: DriverSources): Promise<Driver> {
  const builtin = toCandidate(sources.builtin());
  if (builtin !== undefined && chooseDriver({ builtin: builtin.version, bundled: undefined }) === 'builtin') {
    return toDriver('builtin', builtin);
  }
  const bundled = toCandidate(await sources.bundled().catch(tooOld));
  if (
    bundled !== undefined &&
    chooseDriver({ builtin: builtin?.version, bundled: bundled.version }) === 'bundled'
  ) {
    return toDriver('bundled', bundled);
  }
  return tooOld(undefined);
}

interface Candidate {
  readonly module: SqliteModule;
  readonly version: string;
}

function toCandidate(loaded: unknown): Candidate | undefined {
  if (!isSqliteModule(loaded)) return undefined;
  const probe = new loaded.DatabaseSync(':memory:', { readOnly: false, timeout: 0 });
  try {
    const version = probe.prepare('SELECT sqlite_version() AS version').get()?.['version'];
    return typeof version === 'string' ? { module: loaded, version } : undefined;
  } finally {
    probe.close();
  }
}

function toDriver(kind: Driver['kind'], { module, version }: Candidate): Driver {
  return {
    kind,
    sqliteVersion: version,
    connect: (location, options) => new module.DatabaseSync(location, options),
  };
}

function tooOld(cause: unknown): never {
  throw new AppError(
    'runtime_too_old',
    `This Node has no SQLite of version ${OLDEST_SAFE_SQLITE} or newer.`,
    {
      hint: 'Use the current Node 24, which brings one along, or reinstall Waymark for this platform.',
      cause,
    },
  );
}

function isSqliteModule(loaded: unknown): loaded is SqliteModule {
  return (
    typeof loaded === 'object' &&
    loaded !== null &&
    'DatabaseSync' in loaded &&
    typeof loaded.DatabaseSync === 'function'
  );
}

/**
 * Node announces that its SQLite is experimental on stderr. We pin a minimum version and test on every supported Node, so
 * the notice tells the user nothing. Loading is synchronous, so no other code can run while the filter is in place.
 */
function loadBuiltinQuietly(): unknown {
  const emitWarning = process.emitWarning;
  const emitOthers = (...args: readonly unknown[]): void => {
    if (String(args[0]).startsWith('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, args);
  };
  process.emitWarning = emitOthers;
  try {
    // Missing before Node 20.16, which had no SQLite of its own either.
    return process.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Older ones can corrupt a WAL database when a checkpoint in one process meets a write in another. */
export const OLDEST_SAFE_SQLITE = '3.51.3';

export type DriverChoice = 'builtin' | 'bundled' | 'none';

/** What each driver reports as its SQLite; undefined when the driver is absent. */
export interface DriverVersions {
  readonly builtin: string | undefined;
  readonly bundled: string | undefined;
}

/** Node's own driver when it is safe, because it costs nothing; else the bundled one; else none. */
export function chooseDriver(versions: DriverVersions): DriverChoice {
  if (isSafeSqlite(versions.builtin)) return 'builtin';
  if (isSafeSqlite(versions.bundled)) return 'bundled';
  return 'none';
}

export function isSafeSqlite(version: string | undefined): boolean {
  if (version === undefined || !/^\d+\.\d+\.\d+/.test(version)) return false;
  const found = partsOf(version);
  const wanted = partsOf(OLDEST_SAFE_SQLITE);
  const at = wanted.findIndex((part, index) => part !== found[index]);
  return at === -1 || (found[at] ?? 0) > (wanted[at] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return version
    .split('.')
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10));
}

export function textColumn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw mismatch(column, 'text');
}

export function numberColumn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  throw mismatch(column, 'a number');
}

export function bytesColumn(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw mismatch(column, 'bytes');
}

export function optionalTextColumn(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textColumn(row, column);
}

function mismatch(column: string, expected: string): AppError {
  return new AppError('internal', `The column ${column} is not ${expected}.`);
}

/** A column of texts that hold no NUL, as `textsOf` reads it. Through bytes: a text with a NUL inside may be cut at it. */
export function joinedTexts(column: string): string {
  return `CAST(group_concat(${column}, char(0)) AS BLOB)`;
}

/** A column of integers, as `integersOf` reads it. */
export function joinedIntegers(column: string): string {
  return `group_concat(${column})`;
}

/** A column of bytes, one after the other, as `bytesColumn` reads it. */
export function joinedBytes(column: string): string {
  return `CAST(group_concat(${column}, '') AS BLOB)`;
}

export function textsOf(row: Row, column: string): readonly string[] {
  return row[column] === null ? [] : decoder.decode(bytesColumn(row, column)).split('\0');
}

export function integersOf(row: Row, column: string): readonly number[] {
  const text = optionalTextColumn(row, column) ?? '';
  const found: unknown = JSON.parse(`[${text}]`);
  if (Array.isArray(found)) return found;
  throw new AppError('internal', `The column ${column} is no list.`);
}

const decoder = new TextDecoder();
