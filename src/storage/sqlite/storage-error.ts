/** Turns what the driver or the file system throws into our own words; the original survives as the cause. */
import { AppError } from '../../core/index.ts';

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
