/** One writer and one follower per index. The locks are SQLite's own, on files beside it, so they die with their holders. */
import { basename, dirname } from 'node:path';
import { ensurePrivateDir, ensurePrivateFile } from '../../platform/index.ts';
import { loadDriver } from './driver.ts';
import { hasErrorCode, toStorageError, translatingErrors } from './storage-error.ts';
import { indexFile } from './index-store.ts';

export interface WriterLock {
  release(): void;
}

/** Undefined if another process is writing this project's index. */
export function tryWriterLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLock(`${indexFile(cacheDir, root)}.writer`);
}

/** Held for as long as a process follows the project's files; undefined if another one does. */
export function tryFollowerLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLock(`${indexFile(cacheDir, root)}.follower`);
}

async function tryLock(absPath: string): Promise<WriterLock | undefined> {
  const name = basename(absPath);
  const driver = await loadDriver();
  const connection = translatingErrors(name, () => {
    ensurePrivateDir(dirname(absPath));
    ensurePrivateFile(absPath);
    return driver.connect(absPath, { readOnly: false, timeout: 0 });
  });
  try {
    // Nothing is ever committed: the file stays empty.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (thrown) {
    connection.close();
    const error = toStorageError(thrown, name);
    if (hasErrorCode(error, 'storage_busy')) return undefined;
    throw error;
  }
  return {
    release() {
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}
