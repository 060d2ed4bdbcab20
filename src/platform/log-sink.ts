/** Where log lines go: standard error, or a file that only its owner may read and that begins anew when it is full. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../core/index.ts';
import { isOwn, makeFolders } from './private-files.ts';

export interface LogSink {
  write(line: string): void;
  close(): void;
}

export interface LogLimits {
  /** A file that has so many makes room for a new one. */
  readonly maxBytes: number;
  /** How many older ones stay, as `FILE.1` (the newest) and so on. */
  readonly kept: number;
}

/** By number: in a worker thread `process.stderr` is a stream without one. */
const STANDARD_ERROR = 2;
const LIMITS: LogLimits = { maxBytes: 10 * 1024 * 1024, kept: 3 };

export interface LogSinkOptions {
  readonly limits?: LogLimits | undefined;
  /** What names the file on the command line. */
  readonly flag?: string;
}

export function openLogSink(
  file: string | undefined,
  { limits = LIMITS, flag = '--log-file' }: LogSinkOptions = {},
): LogSink {
  const log = file === undefined ? undefined : openLogFile(file, flag);
  let fd = log?.fd ?? STANDARD_ERROR;
  let isOpen = true;

  /** The log after another thread or process began a new one, or after this one does. */
  function followRotation(path: string): void {
    if (!isThis(path, fd)) fd = reopen(path, fd);
    if (fstatSync(fd).size < limits.maxBytes) return;
    // Two that rename at once would push an older log out, and put a new one in its place.
    const lock = `${path}.rotating`;
    if (!tryLock(lock)) return;
    try {
      rotate(path);
    } finally {
      unlinkSync(lock);
    }
  }

  function rotate(path: string): void {
    // Another may have done it just before.
    if (!isThis(path, fd)) {
      fd = reopen(path, fd);
      return;
    }
    try {
      // The oldest is replaced. What lies in the place of an older log, a link too, is renamed over, never written to.
      for (let age = limits.kept; age > 0; age--)
        renameIfPresent(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`);
      fd = reopen(path, fd);
    } catch {
      // Where nothing can be renamed, the log loses its past rather than the disk its room.
      ftruncateSync(fd);
    }
  }

  return {
    write(line) {
      if (!isOpen) return;
      try {
        if (file !== undefined && log?.canFill === true) followRotation(file);
        writeSync(fd, `${line}\n`);
      } catch {
        // A log that cannot be written (closed terminal, full disk) must not take the work down with it.
      }
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (file !== undefined) closeSync(fd);
    },
  };
}

interface LogFile {
  readonly fd: number;
  /** `/dev/null` never is full. */
  readonly canFill: boolean;
}

function openLogFile(file: string, flag: string): LogFile {
  try {
    makeFolders(dirname(file), 0o700);
    return openAppending(file);
  } catch (cause) {
    throw new AppError('file_unavailable', `The log file cannot be opened: ${file}`, {
      hint: `Choose a file of your own that is no link with ${flag}, or leave it out.`,
      cause,
    });
  }
}

/** O_NOFOLLOW: a link would have us append to a file that another program chose. O_NONBLOCK: a pipe must not hang us. */
const FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

function openAppending(file: string): LogFile {
  const fd = openSync(file, FLAGS, 0o600);
  try {
    const stats = fstatSync(fd);
    if (stats.isCharacterDevice()) return { fd, canFill: false };
    // A second name may be that of any file of the user's.
    if (!stats.isFile() || stats.nlink > 1 || !isOwn(stats.uid)) throw new Error('no file of our own');
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return { fd, canFill: true };
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

/** A process that died while it renamed leaves its lock behind. */
const STALE_MS = 10_000;

function tryLock(lock: string): boolean {
  const before = lstatSync(lock, { throwIfNoEntry: false });
  if (before !== undefined && Date.now() - before.mtimeMs > STALE_MS) unlinkSync(lock);
  try {
    closeSync(openSync(lock, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
    return true;
  } catch {
    return false;
  }
}

function reopen(file: string, before: number): number {
  const { fd } = openAppending(file);
  closeSync(before);
  return fd;
}

function isThis(file: string, fd: number): boolean {
  const named: Stats | undefined = lstatSync(file, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

function renameIfPresent(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
