/** The machine: its time, randomness and user, and facts that decide whether we can work here. */
import { randomBytes, randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, statfsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from '../core/index.ts';
import { pathExists } from './directories.ts';

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

/** What this process takes of the machine's memory. */
export function ownMemoryMb(): number {
  return process.memoryUsage.rss() / 1024 / 1024;
}
