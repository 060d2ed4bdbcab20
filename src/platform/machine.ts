/** Facts about the machine that decide whether we can work here. Looking never fails: what cannot be told is undefined. */
import { lstatSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathExists } from './private-files.ts';

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
