/** A user's own file that is about to be changed: read whole, replaced in one step, its links and mode kept. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../core/index.ts';
import type { Ids } from './machine.ts';
import { makeFolders } from './private-files.ts';

export interface EditableFile {
  /** The path that was asked for. */
  readonly absPath: string;
  /** The file itself, behind any links: a dotfile may be a link into a repository. */
  readonly target: string;
  /** Undefined if there is no file yet. */
  readonly bytes: Uint8Array | undefined;
  readonly mode: number | undefined;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LINKS = 40;

/** With `within`, the file behind all links must lie below that folder. */
export function readEditable(absPath: string, within?: string): EditableFile {
  const target = followLinks(absPath);
  if (within !== undefined && !isBelow(within, target)) {
    throw unavailable(
      absPath,
      'is a link that leads out of the project',
      'Replace the link by a file of its own.',
    );
  }
  const found = lookAt(target, statSync);
  if (found === undefined) return { absPath, target, bytes: undefined, mode: undefined };
  if (!found.isFile())
    throw unavailable(absPath, 'is not a regular file', 'Remove it, or move it elsewhere.');
  if (found.size > MAX_BYTES) throw unavailable(absPath, 'is too large to be edited', 'Edit it by hand.');
  try {
    return { absPath, target, bytes: readFileSync(target), mode: found.mode & 0o7777 };
  } catch (cause) {
    throw unavailable(absPath, 'cannot be read', 'Make it readable for you.', cause);
  }
}

/**
 * Puts the new bytes in place of the file that was read, whole or not at all. Returns the folders that had to be made.
 * A file that changed since it was read is left alone, as is one its owner has made read-only: a rename would not ask.
 */
export function replaceEditable(file: EditableFile, bytes: Uint8Array, ids: Ids): readonly string[] {
  const { absPath, target, mode } = file;
  if (mode !== undefined && (mode & 0o222) === 0) {
    throw unavailable(
      absPath,
      'is read-only',
      'Make it writable (chmod u+w) and run the same command again.',
    );
  }
  if (!isUnchanged(file)) {
    throw unavailable(absPath, 'was changed by another program just now', 'Run the same command again.');
  }
  const draft = join(dirname(target), `.${basename(target)}.${ids.token(6)}`);
  try {
    const made = makeFolders(dirname(target));
    writeDraft(draft, bytes, mode ?? 0o600);
    renameSync(draft, target);
    return made;
  } catch (cause) {
    if (existsSync(draft)) rmSync(draft, { force: true });
    throw unavailable(absPath, 'cannot be written', 'Make its folder writable for you.', cause);
  }
}

/** Removes a file that has not changed since it was read, and then these folders as far as they are empty. */
export function removeEditable(file: EditableFile, folders: readonly string[]): void {
  if (!isUnchanged(file)) {
    throw unavailable(file.absPath, 'was changed by another program just now', 'Run the same command again.');
  }
  rmSync(file.target, { force: true });
  for (const folder of folders.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // It is in use by now.
    }
  }
}

function isUnchanged({ target, bytes }: EditableFile): boolean {
  if (bytes === undefined) return lookAt(target, lstatSync) === undefined;
  try {
    return readFileSync(target).equals(bytes);
  } catch {
    return false;
  }
}

function writeDraft(draft: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(draft, 'wx', mode);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  // The umask took its part when the file was made.
  chmodSync(draft, mode);
}

/** Undefined if there is nothing. A file in place of a folder on the way means the same. */
function lookAt(absPath: string, look: typeof statSync): Stats | undefined {
  try {
    return look(absPath, { throwIfNoEntry: false });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR') return undefined;
    throw unavailable(absPath, 'cannot be looked at', 'Make its folder one that you may enter.', cause);
  }
}

/** Like realpath, but the last file need not exist: a link may point at a file that is yet to be made. */
function followLinks(absPath: string): string {
  let path = absPath;
  for (let links = 0; links < MAX_LINKS; links++) {
    const found = lookAt(path, lstatSync);
    if (found?.isSymbolicLink() !== true) return join(realFolder(dirname(path)), basename(path));
    path = resolve(dirname(path), readlinkSync(path));
  }
  throw unavailable(absPath, 'is a link that leads in circles', 'Replace the link by a file.');
}

/** The real path of a folder; of one that does not exist, as far as it does. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(realFolder(parent), basename(folder));
  }
}

function isBelow(folder: string, absPath: string): boolean {
  const path = relative(realFolder(folder), absPath);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function unavailable(absPath: string, why: string, hint: string, cause?: unknown): AppError {
  return new AppError('file_unavailable', `${absPath} ${why}.`, { hint, cause });
}
