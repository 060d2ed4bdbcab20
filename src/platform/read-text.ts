/** Reads a small text file whole, with limits that hold even for a file someone else prepared. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { AppError } from '../core/index.ts';

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
