/** The machine: its clock, directories, user, processes and limits. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync, readFileSync, statfsSync } from 'node:fs';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { isAbsolute, resolve, dirname } from 'node:path';
import type { Clock } from '../core/index.ts';

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

export interface PathFacts {
  readonly kind: 'file' | 'directory' | 'other';
  /** The permission bits; undefined where they mean nothing. */
  readonly mode: number | undefined;
  readonly mtimeMs: number;
  readonly isOurs: boolean;
}

export function pathFacts(absPath: string): PathFacts | undefined {
  try {
    const found = lstatSync(absPath);
    return {
      kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other',
      mode: process.getuid === undefined ? undefined : found.mode & 0o777,
      mtimeMs: found.mtimeMs,
      isOurs: process.getuid === undefined || process.getuid() === found.uid,
    };
  } catch {
    return undefined;
  }
}

/** What is free for us on the disk that holds, or will hold, this path. */
export function freeBytes(absPath: string): number | undefined {
  let folder = absPath;
  while (!pathExists(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // One that we may not signal is alive all the same.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

const PARENT_POLL_MS = 500;

/** Resolves when the parent is gone; never after the signal was aborted. */
export function parentGone(signal: AbortSignal): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      // An orphan is given to another parent, so a changed number is a dead one.
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, PARENT_POLL_MS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}

/** How many folders Linux lets one user watch. */
export function watchLimit(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
  } catch {
    return undefined;
  }
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: elapsedMs,
};

/** Milliseconds since some moment. Not by `performance`: the first use of it loads nine modules, in every process. */
/** How long this process has been running. */
export function processAgeMs(): number {
  return process.uptime() * 1e3;
}

export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** Unguessable names, from the machine's secure source. */
export interface Ids {
  uuid(): string;
  /** URL-safe text of this many random bytes. */
  token(bytes: number): string;
}

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
};

/** What the system calls the user; systems without accounts have no name for them. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** What the machine calls itself. */
export function machineName(): string {
  return hostname();
}

/** What this process takes of the machine's memory. */
export function ownMemoryMb(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
