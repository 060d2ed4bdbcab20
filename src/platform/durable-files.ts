/** Whole files that must be on disk before anybody is told so. */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The bytes of a file, or undefined if there is none. */
export function readBytesIfPresent(absPath: string): Uint8Array | undefined {
  try {
    return readFileSync(absPath);
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/** The size of a file; 0 if there is none. */
export function sizeOfFile(absPath: string): number {
  return statSync(absPath, { throwIfNoEntry: false })?.size ?? 0;
}

/** The names in a directory in one order everywhere; none if there is no such directory. */
export function namesIn(absPath: string): readonly string[] {
  try {
    return readdirSync(absPath).toSorted();
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

/** Waits until the file, and its name, are on disk. */
export function syncFile(absPath: string): void {
  syncPath(absPath);
  syncPath(dirname(absPath));
}

/** Puts a file in place of another one, whole or not at all, and on disk. */
export function replaceFile(fromAbsPath: string, toAbsPath: string): void {
  renameSync(fromAbsPath, toAbsPath);
  syncPath(dirname(toAbsPath));
}

/** Writes a whole text file that only its owner may read. A reader sees the old one or the new one. */
export function writePrivateText(absPath: string, text: string): void {
  const draft = `${absPath}.part`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, absPath);
}

/** The same for bytes, piece by piece. */
export function writePrivateBytes(absPath: string, pieces: readonly Uint8Array[]): void {
  const draft = `${absPath}.part`;
  // One that a killed process left behind may have other rights.
  rmSync(draft, { force: true });
  const fd = openSync(draft, 'wx', 0o600);
  try {
    try {
      for (const piece of pieces)
        for (let at = 0; at < piece.byteLength;) at += writeSync(fd, piece, at, piece.byteLength - at);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, absPath);
  } catch (cause) {
    // Half a file helps nobody, least of all on a full disk.
    rmSync(draft, { force: true });
    throw cause;
  }
}

export function removeIfPresent(absPath: string): void {
  rmSync(absPath, { force: true });
}

function syncPath(absPath: string): void {
  let fd: number;
  try {
    fd = openSync(absPath, 'r');
  } catch (cause) {
    // Windows does not open directories; it writes names through.
    if (cause instanceof Error && 'code' in cause && (cause.code === 'EISDIR' || cause.code === 'EPERM'))
      return;
    throw cause;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
