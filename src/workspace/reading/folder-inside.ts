/** A folder of a project, entered so that a link which takes its place, or that of a folder around it, leads nowhere. */
import { closeSync, constants, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nameOfOpened, OPEN_FILES } from './read-source.ts';

/** Linux only, and not among Node's constants: to look into a folder one need not be allowed to list it. */
const O_PATH = 0o10000000;
const OPEN_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;
/** One look in between two swaps can be fooled; that many in a row hardly can. */
const LOOKS_AFTER = 8;

/**
 * Hands over a path that stays with the folder for as long as it is used. `absPath` has no links in it when all is well. Linux
 * names what was opened, which settles the matter. Elsewhere the path is looked at again afterwards. Undefined if the folder
 * lies elsewhere than its name says; throws what opening it throws.
 */
export function inFolder<T>(absPath: string, use: (at: string) => T, openFiles = OPEN_FILES): T | undefined {
  const folder = absPath.length > 1 && absPath.endsWith('/') ? absPath.slice(0, -1) : absPath;
  if (process.platform !== 'linux') return inUnchanged(folder, use);
  const fd = openSync(folder, OPEN_FLAGS);
  try {
    const real = nameOfOpened(fd, openFiles);
    if (real === undefined) return inUnchanged(folder, use);
    return real === folder ? use(`${openFiles}/${fd}`) : undefined;
  } finally {
    closeSync(fd);
  }
}

function inUnchanged<T>(folder: string, use: (at: string) => T): T | undefined {
  const made = use(folder);
  for (let look = 0; look < LOOKS_AFTER; look++) if (!isRealPath(folder)) return undefined;
  return made;
}

/** Compared as the system writes it: Windows answers a path with slashes by one with backslashes. */
function isRealPath(absPath: string): boolean {
  return realpathSync.native(absPath) === resolve(absPath);
}

/** Whether what was opened by this name lies there: a folder on the way may have become a link. */
export function isWhereNamed(fd: number, absPath: string, openFiles = OPEN_FILES): boolean {
  const real = nameOfOpened(fd, openFiles);
  return real === undefined ? isRealPath(absPath) : real === absPath;
}

/** Undefined if there is nothing, nothing we may look at, or a link on the way. */
export function lookInside(absPath: string): Stats | undefined {
  try {
    const name = basename(absPath);
    return inFolder(dirname(absPath), (at) => lstatSync(`${at}/${name}`, { throwIfNoEntry: false }));
  } catch {
    return undefined;
  }
}

export interface Looks {
  /** As `lookInside`. */
  readonly look: (absPath: string) => Stats | undefined;
  close(): void;
}

/** Many looks in the order of their paths: a folder stays open until one elsewhere is looked into. */
export function openLooks(): Looks {
  let last: { readonly folder: string; readonly fd: number; readonly at: string | undefined } | undefined;
  const close = (): void => {
    if (last !== undefined) closeSync(last.fd);
    last = undefined;
  };
  return {
    look(absPath) {
      if (process.platform !== 'linux') return lookInside(absPath);
      const folder = dirname(absPath);
      try {
        if (last?.folder !== folder) {
          close();
          const fd = openSync(folder, OPEN_FLAGS);
          last = { folder, fd, at: nameOfOpened(fd) === folder ? `${OPEN_FILES}/${fd}` : undefined };
        }
        const { at } = last;
        return at === undefined
          ? undefined
          : lstatSync(`${at}/${basename(absPath)}`, { throwIfNoEntry: false });
      } catch {
        return undefined;
      }
    },
    close,
  };
}
