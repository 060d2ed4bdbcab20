/** Moves a damaged store aside. Nothing is ever deleted: someone may want to salvage it. */
import { moveIfPresent, pathExists } from '../../../platform/index.ts';

export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** Moves the store with its side files and returns where it lies now. Call only while alone with the store. */
export function quarantine(absPath: string, nowMs: number): string {
  const copyPath = freePath(`${absPath}.damaged-${toStamp(nowMs)}`);
  // The main file goes last: were we killed in between, a fresh main file must not meet the old one's log,
  // because SQLite would delete that log as stale.
  for (const suffix of SIDE_FILES) moveIfPresent(absPath + suffix, copyPath + suffix);
  moveIfPresent(absPath, copyPath);
  return copyPath;
}

function freePath(wanted: string): string {
  const taken = (absPath: string): boolean =>
    ['', ...SIDE_FILES].some((suffix) => pathExists(absPath + suffix));
  let candidate = wanted;
  for (let count = 2; taken(candidate); count += 1) candidate = `${wanted}-${count}`;
  return candidate;
}

/** UTC without punctuation, which not every file system takes in a name: 20260131T235959Z. */
export function toStamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
