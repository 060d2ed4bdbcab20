/** What tells that a file or folder is still the one that was looked at. */
import { lstatSync, type BigIntStats, type Stats } from 'node:fs';
import { systemClock } from '../../platform/index.ts';

export interface Stamp {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Cannot be set by hand, unlike the time above. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** Numbers of inodes are used again; the time of birth tells such a pair apart. */
  readonly bornMs: number;
  /** So new when it was taken that a change right after would leave no trace in it. */
  readonly isUnsettled: boolean;
}

/** Undefined if there is nothing, or nothing we may look at. */
export function lookAtPath(absPath: string): Stats | undefined {
  try {
    return lstatSync(absPath, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function toStamp(stats: Stats): Stamp {
  return {
    sizeBytes: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    inode: stats.ino,
    bornMs: stats.birthtimeMs,
    isUnsettled: mayBearSameTime(stats.ctimeMs, systemClock.now()),
  };
}

export function stampOf(absPath: string): Stamp | undefined {
  const stats = lookAtPath(absPath);
  return stats === undefined ? undefined : toStamp(stats);
}

/** Whether what was learned when `before` was taken still holds. Two absences are the same. */
export function isSameStamp(before: Stamp | undefined, now: Stamp | undefined): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (
    !before.isUnsettled &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.sizeBytes === now.sizeBytes &&
    before.inode === now.inode
  );
}

/** The same for a file that was just looked at, without making a stamp of it: nearly all are unchanged. */
export function isUnchanged(before: Stamp | undefined, now: Stats | undefined): boolean {
  return (
    before !== undefined &&
    now !== undefined &&
    !before.isUnsettled &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.sizeBytes === now.size &&
    before.inode === now.ino
  );
}

/** Whether another one has taken its place. */
export function isReplaced(before: Stamp, now: Stamp): boolean {
  return before.inode !== now.inode || before.bornMs !== now.bornMs;
}

/** Undefined for what is no regular file. */
export function fileStamp(absPath: string): string | undefined {
  const stat = lstatSync(absPath, { bigint: true, throwIfNoEntry: false });
  return stat === undefined || !stat.isFile() ? undefined : stampTextOf(stat);
}

export function stampTextOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The longest step in which file systems count time (FAT). */
const COARSE_STEP_MS = 2_000;
/** A kernel's tick is 10 ms at most, and its clock of files may be one behind. */
const FINE_STEP_MS = 25;

/** So recent that a further write could bear the same time. `changedMs` may have a fraction, which tells the step apart. */
export function mayBearSameTime(changedMs: number, nowMs: number): boolean {
  // Where times are not whole multiples of 10 ms, the file system keeps at least the kernel's ticks.
  const step = changedMs % 10 === 0 ? COARSE_STEP_MS : FINE_STEP_MS;
  return nowMs - changedMs < step;
}
