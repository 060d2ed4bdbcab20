/** Files that others may have prepared: read with limits, without following links out, waiting for pipes or reading without end. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../core/index.ts';
import { ensurePrivateDir } from './private-files.ts';

export interface ReadTextLimits {
  /** Larger files are refused unread. */
  readonly maxBytes?: number;
  /** After all links are followed the file must still lie below this directory. */
  readonly within?: string;
}

const DEFAULT_MAX_BYTES = 1024 * 1024;

/** The text of a regular UTF-8 file, or undefined if there is no such file. Anything else is `file_unavailable`. */
export function readTextIfPresent(absPath: string, limits: ReadTextLimits = {}): string | undefined {
  try {
    const real = realpathSync.native(absPath);
    if (limits.within !== undefined && !isBelow(realpathSync.native(limits.within), real)) {
      throw unavailable(absPath, 'is a link that leads out of its directory');
    }
    return readRegularFile(absPath, real, limits.maxBytes ?? DEFAULT_MAX_BYTES);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    // A file in place of a parent directory means the same as no file: nothing was configured there.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unavailable(absPath, 'cannot be read', cause);
  }
}

export interface EndOfFile {
  readonly text: string;
  /** It is all of it. */
  readonly isWhole: boolean;
}

/**
 * The end of a regular file that lies below a directory, in UTF-8: what another program goes on writing. No link is followed, the
 * file itself least of all. Undefined if it is none of this.
 */
export function readEndOfFile(
  absPath: string,
  { within, maxBytes }: { readonly within: string; readonly maxBytes: number },
): EndOfFile | undefined {
  let fd: number | undefined;
  try {
    const real = realpathSync.native(absPath);
    const folder = realpathSync.native(within);
    if (lstatSync(absPath).isSymbolicLink() || !isBelow(folder, real)) return undefined;
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const from = Math.max(0, stats.size - maxBytes);
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got)
      got = readSync(fd, buffer, length, buffer.length - length, from + length);
    return { text: buffer.toString('utf8', 0, length), isWhole: from === 0 };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readRegularFile(absPath: string, real: string, maxBytes: number): string {
  // O_NONBLOCK: opening a pipe must not hang. O_NOFOLLOW: the path was resolved, a link that appears now is foul play.
  const fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(fd).isFile()) throw unavailable(absPath, 'is not a regular file');
    // One byte more than allowed, so that a file that grows after a size check is noticed too.
    const buffer = Buffer.alloc(Math.min(fstatSync(fd).size, maxBytes) + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < buffer.length; length += got) {
      got = readSync(fd, buffer, length, buffer.length - length, null);
    }
    if (length > maxBytes) throw unavailable(absPath, `is larger than ${maxBytes} bytes`);
    return decode(absPath, buffer.subarray(0, length));
  } finally {
    closeSync(fd);
  }
}

function decode(absPath: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unavailable(absPath, 'is not UTF-8 text', cause);
  }
}

function isBelow(directory: string, absPath: string): boolean {
  const path = relative(directory, absPath);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function unavailable(absPath: string, why: string, cause?: unknown): AppError {
  return new AppError('file_unavailable', `The file ${absPath} ${why}.`, {
    hint: 'Make it a readable, regular text file, or remove it.',
    cause,
  });
}

export type FileLook =
  | { readonly kind: 'file'; readonly sizeBytes: number; readonly head: Uint8Array; readonly isOurs: boolean }
  | { readonly kind: 'missing' | 'folder' | 'link' | 'special' | 'unreadable' };

const PIECE_BYTES = 1024 * 1024;

/** What lies at a path, and how it begins if it is a regular file. Never throws, and never waits. */
export function lookAtFile(absPath: string, headBytes: number): FileLook {
  try {
    const found = lstatSync(absPath, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'missing' };
    if (found.isSymbolicLink()) return { kind: 'link' };
    if (found.isDirectory()) return { kind: 'folder' };
    if (!found.isFile()) return { kind: 'special' };
    return withPlainFile(absPath, (fd) => {
      const head = Buffer.alloc(headBytes);
      const length = readSync(fd, head, 0, headBytes, 0);
      const { size, uid } = fstatSync(fd);
      const isOurs = process.getuid === undefined || process.getuid() === uid;
      return { kind: 'file', sizeBytes: size, head: head.subarray(0, length), isOurs };
    });
  } catch {
    return { kind: 'unreadable' };
  }
}

/** The bytes of a regular file of at most so many; undefined if it is none. */
export function readPlainFile(absPath: string, maxBytes: number): Uint8Array | undefined {
  try {
    return withPlainFile(absPath, (fd) => {
      const { size } = fstatSync(fd);
      if (size > maxBytes) return undefined;
      const bytes = Buffer.alloc(size + 1);
      let length = 0;
      for (let got = -1; got !== 0 && length < bytes.length; length += got)
        got = readSync(fd, bytes, length, bytes.length - length, null);
      return bytes.subarray(0, Math.min(length, size));
    });
  } catch {
    return undefined;
  }
}

/** Copies a regular file of at most so many bytes to a new private one; false if it has more, or grows meanwhile. */
export function copyPlainFile(fromAbsPath: string, toAbsPath: string, maxBytes: number): boolean {
  return withPlainFile(fromAbsPath, (from) => {
    if (fstatSync(from).size > maxBytes) return false;
    const to = openSync(toAbsPath, 'wx', 0o600);
    try {
      const piece = Buffer.alloc(PIECE_BYTES);
      let total = 0;
      for (let got = readSync(from, piece); got > 0; got = readSync(from, piece)) {
        total += got;
        if (total > maxBytes) return false;
        for (let at = 0; at < got;) at += writeSync(to, piece, at, got - at);
      }
      return true;
    } finally {
      closeSync(to);
    }
  });
}

/** A new private folder with a name of its own. */
export function makePrivateFolder(parent: string, prefix: string): string {
  ensurePrivateDir(parent);
  return mkdtempSync(join(parent, prefix));
}

function withPlainFile<Result>(absPath: string, work: (fd: number) => Result): Result {
  const fd = openSync(absPath, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    if (!fstatSync(fd).isFile()) throw new Error('not a regular file');
    return work(fd);
  } finally {
    closeSync(fd);
  }
}
