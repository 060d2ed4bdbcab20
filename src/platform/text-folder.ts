/** A folder of text files that a user named: read with limits, written whole, never outside of it. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '../core/index.ts';
import { makeFolders } from './make-folders.ts';

export interface TextFolder {
  /** Paths of all regular files below it, with `/`, in one order everywhere. Links are not followed. */
  list(): readonly string[];
  /** Undefined if it is no text of a sensible size. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
}

const MAX_BYTES = 2 * 1024 * 1024;
const MOST_FILES = 100_000;

export function openTextFolder(absPath: string): TextFolder {
  return {
    list: () => walk(absPath),
    read(path) {
      const target = inside(absPath, path);
      const found = statSync(target, { throwIfNoEntry: false });
      if (found === undefined || !found.isFile() || found.size > MAX_BYTES) return undefined;
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(target));
      } catch {
        return undefined;
      }
    },
    write(path, text) {
      const target = inside(absPath, path);
      makeFolders(dirname(target));
      writeFileSync(target, text);
    },
  };
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
  const back = relative(absPath, target);
  if (back === '' || back.startsWith('..') || isAbsolute(back))
    throw new AppError('bad_argument', 'A path leads out of its folder.');
  return target;
}

function tooMany(absPath: string): AppError {
  return new AppError('bad_argument', `The folder ${absPath} holds more than ${MOST_FILES} files.`, {
    hint: 'Name the folder of the export itself.',
  });
}
