/** Questions about directories that never throw: a missing or forbidden path is an answer, not an accident. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

export type PathKind = 'directory' | 'file' | 'missing';

/** What is at this path, links followed. Anything that cannot be looked at counts as missing. */
export function pathKind(absPath: string): PathKind {
  try {
    // Asked for every marker on the way up: making an error for each missing one costs more than looking.
    const found = statSync(absPath, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    return found.isDirectory() ? 'directory' : 'file';
  } catch {
    return 'missing';
  }
}

/** Whether anything lies at this path, links followed. */
export function pathExists(absPath: string): boolean {
  return existsSync(absPath);
}

/** Whether this path is itself a link, wherever it leads. */
export function isLink(absPath: string): boolean {
  try {
    return lstatSync(absPath, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** The canonical path with all links resolved, or undefined if there is no such path. */
export function realPath(absPath: string): string | undefined {
  try {
    return realpathSync.native(absPath);
  } catch {
    return undefined;
  }
}

/** An absolute path without dots. After a link, `..` is where the system says it is, and not where the text says. */
export function resolveDots(absPath: string): string {
  const [, above = '', rest = ''] = /^(.*(?:^|[\\/])\.\.)((?:[\\/].*)?)$/s.exec(absPath) ?? [];
  const real = above === '' ? undefined : realPath(above);
  return resolve(real === undefined ? absPath : real + rest);
}

/** A user without a home (some containers) has none that could be mistaken for a project. */
const NO_HOME = '/nonexistent';

/** The user's home, canonical where it exists. Where HOME is unset, empty or relative, it is looked up by user id. */
export function homeDirectory(): string {
  try {
    const named = homedir();
    // A relative one would be somewhere in whatever repository we were started in.
    const home = isAbsolute(named) ? named : userInfo().homedir;
    return isAbsolute(home) ? (realPath(home) ?? home) : NO_HOME;
  } catch {
    return NO_HOME;
  }
}

export function tempDirectory(): string {
  return realPath(tmpdir()) ?? tmpdir();
}

/**
 * The working directory, or undefined if it was removed under us. Asked of the system: process.cwd() remembers the name it
 * had at first, and by now another folder may have that name.
 */
export function workingDirectory(): string | undefined {
  try {
    return realpathSync.native('.');
  } catch {
    return undefined;
  }
}
