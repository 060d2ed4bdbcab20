/** One writer and one follower per index. The locks are SQLite's own, on files beside it, so they die with their holders. */
import { indexFile } from './index-file.ts';
import { tryLockFile, type WriterLock } from './lock-file.ts';

/** Undefined if another process is writing this project's index. */
export function tryWriterLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLockFile(`${indexFile(cacheDir, root)}.writer`);
}

/** Held for as long as a process follows the project's files; undefined if another one does. */
export function tryFollowerLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLockFile(`${indexFile(cacheDir, root)}.follower`);
}
