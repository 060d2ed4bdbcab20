/** Our own files: only their owner may read them, whatever the umask says, and they are written whole. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;
const STICKY = 0o1000;

/**
 * The directory exists afterwards and, if it is ours, only its owner can enter it. Missing parents are made private too.
 * A directory of another owner and a shared one such as /tmp keep their modes: tightening those would break others.
 */
export function ensurePrivateDir(absPath: string): void {
  if (!existsSync(absPath)) {
    const parent = dirname(absPath);
    if (parent !== absPath && !existsSync(parent)) ensurePrivateDir(parent);
    makeFolders(absPath, PRIVATE_DIR);
  }
  const { mode, uid } = statSync(absPath);
  const shared = (mode & STICKY) !== 0;
  if (!shared && isOwn(uid) && (mode & 0o777) !== PRIVATE_DIR) chmodSync(absPath, PRIVATE_DIR);
}

/**
 * An empty private file exists afterwards, or the one that was there is made private.
 * An existing file is never opened here: closing a descriptor would drop every lock this process holds on that file.
 */
export function ensurePrivateFile(absPath: string): void {
  if (!existsSync(absPath)) createExclusively(absPath);
  makePrivateIfPresent(absPath);
}

/** Whether this is a directory of ours, not a link to one, that no other user can enter. Windows keeps such rights elsewhere. */
export function isPrivateDir(absPath: string): boolean {
  const found = lstatSync(absPath);
  return found.isDirectory() && isOwn(found.uid) && !isOpenToOthers(found.mode);
}

/** Windows has lists of rights in place of these bits; Node makes them up there. */
export function isOpenToOthers(mode: number, system: NodeJS.Platform = process.platform): boolean {
  return system !== 'win32' && (mode & 0o077) !== 0;
}

/** Takes away other users' access to a file, if there is one and it is ours. */
export function makePrivateIfPresent(absPath: string): void {
  const found = statSync(absPath, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || !isOwn(found.uid)) return;
  if ((found.mode & 0o777) !== PRIVATE_FILE) chmodIfPresent(absPath);
}

/** Moves a file within its file system; false if there was none. The caller makes sure that nothing lies at the target. */
export function moveIfPresent(fromAbsPath: string, toAbsPath: string): boolean {
  try {
    renameSync(fromAbsPath, toAbsPath);
    return true;
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return false;
    throw cause;
  }
}

function createExclusively(absPath: string): void {
  try {
    closeSync(openSync(absPath, 'wx', PRIVATE_FILE));
  } catch (cause) {
    // Another process was faster; its file is as good.
    if (!hasCode(cause, 'EEXIST')) throw cause;
  }
}

function chmodIfPresent(absPath: string): void {
  try {
    chmodSync(absPath, PRIVATE_FILE);
  } catch (cause) {
    // SQLite removes its side files when the last process closes, which may be right now.
    if (!hasCode(cause, 'ENOENT')) throw cause;
  }
}

// Windows has no owner ids; its modes mean little and are left to the directory's access list.
export function isOwn(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}

/**
 * Those that were missing, outermost first. Not by Node's `recursive`: where nothing can be made, as below /proc, that tries for
 * ever and hears no signal.
 */
export function makeFolders(absPath: string, mode?: number): readonly string[] {
  if (existsSync(absPath)) return [];
  const parent = dirname(absPath);
  const made = parent === absPath ? [] : makeFolders(parent, mode);
  try {
    mkdirSync(absPath, { mode });
  } catch (cause) {
    // Another process made it first.
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return made;
    throw cause;
  }
  return [...made, absPath];
}

/** The bytes of a file, or undefined if there is none; a pipe or a device, which may have no end, is none. */
export function readBytesIfPresent(absPath: string): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(absPath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined;
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  } finally {
    if (fd !== undefined) closeSync(fd);
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
  writePrivateBytes(absPath, [Buffer.from(text)]);
}

/** The same for bytes, piece by piece. */
export function writePrivateBytes(absPath: string, pieces: readonly Uint8Array[]): void {
  const draft = `${absPath}.part`;
  // One that a killed process left behind may have other rights, and one that another left may be a link.
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
    // Leave no half of a file behind, least of all on a full disk.
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

export interface KeptFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** None if there is no such directory. Only plain files; what vanishes meanwhile is left out. */
export function listKeptFiles(absPath: string): readonly KeptFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(absPath);
  } catch {
    return [];
  }
  return names.toSorted().flatMap((name) => {
    const found = statSync(join(absPath, name), { throwIfNoEntry: false });
    if (found === undefined || !found.isFile()) return [];
    return [{ name, sizeBytes: found.size, modifiedAt: found.mtimeMs }];
  });
}
