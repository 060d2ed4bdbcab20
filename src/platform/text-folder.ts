/** A folder of text files that a user named: read with limits, written whole, never outside of it. */
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../core/index.ts';
import { makeFolders } from './private-files.ts';
import { readPlainFile } from './untrusted-files.ts';

export interface TextFolder {
  exists(): boolean;
  /** Paths of all regular files below it, with `/`, in one order everywhere. Links are not followed. */
  list(): readonly string[];
  /** Undefined if it is no text of a sensible size. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  /** No link is followed to it. */
  remove(path: string): void;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MOST_FILES = 100_000;

/**
 * A repository may bring links along that lead elsewhere. Nothing is written through a link that lies in the folder, or on
 * the way to it from `trusted`, such as the root of the project; what is written only its owner may read.
 */
export function openTextFolder(absPath: string, trusted: string = dirname(absPath)): TextFolder {
  return {
    exists: () => lstatSync(absPath, { throwIfNoEntry: false })?.isDirectory() === true,
    list: () => walk(absPath),
    read(path) {
      const bytes = readPlainFile(inside(absPath, path), MAX_BYTES);
      try {
        return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        return undefined;
      }
    },
    remove(path) {
      const target = inside(absPath, path);
      refuseLinks(isInside(trusted, absPath) ? trusted : dirname(absPath), dirname(target));
      if (lstatSync(target, { throwIfNoEntry: false })?.isFile() === true) rmSync(target);
    },
    write(path, text) {
      const target = inside(absPath, path);
      const start = isInside(trusted, absPath) ? trusted : dirname(absPath);
      refuseLinks(start, dirname(target));
      try {
        makeFolders(dirname(target), 0o700);
        refuseLinks(start, dirname(target));
        replaceText(target, text);
      } catch (cause) {
        throw cause instanceof AppError ? cause : unwritable(target, cause);
      }
    },
  };
}

/** A file that is linked to is not touched: the new one takes the place of the link. */
function replaceText(target: string, text: string): void {
  const draft = `${target}.part`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, target);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

function refuseLinks(start: string, folder: string): void {
  let path = start;
  for (const name of relative(start, folder).split(sep)) {
    path = join(path, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isDirectory()) continue;
    throw new AppError(
      'file_unavailable',
      `${path} is ${found.isSymbolicLink() ? 'a link' : 'no folder'}; nothing is written there.`,
      {
        hint: 'Name another folder, or replace it by a folder of its own.',
      },
    );
  }
}

function walk(absPath: string): readonly string[] {
  const found: string[] = [];
  const folders = [absPath];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const child = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(child);
      else if (entry.isFile()) found.push(relative(absPath, child).split(sep).join('/'));
      if (found.length > MOST_FILES) throw tooMany(absPath);
    }
  }
  return found.toSorted();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw new AppError('file_unavailable', `The folder ${folder} cannot be read.`, {
      hint: 'Name a folder that exists and that you may read.',
      cause,
    });
  }
}

function inside(absPath: string, path: string): string {
  const target = join(absPath, path);
  if (!isInside(absPath, target)) throw new AppError('bad_argument', 'A path leads out of its folder.');
  return target;
}

function isInside(folder: string, absPath: string): boolean {
  const way = relative(folder, absPath);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function unwritable(target: string, cause: unknown): AppError {
  return new AppError('file_unavailable', `${target} cannot be written.`, {
    hint: 'Name a folder that you may write to.',
    cause,
  });
}

function tooMany(absPath: string): AppError {
  return new AppError('bad_argument', `The folder ${absPath} holds more than ${MOST_FILES} files.`, {
    hint: 'Name the folder of the export itself.',
  });
}
