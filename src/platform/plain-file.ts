/** Files that others may have put there: looked at without following links, waiting for pipes or reading without end. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDir } from './private-files.ts';

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
