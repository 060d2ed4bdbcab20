/** A lock that is a file: SQLite's own, so that it works on every platform and dies with its holder. */
import { basename, dirname } from 'node:path';
import { ensurePrivateDir, ensurePrivateFile } from '../../platform/index.ts';
import { loadDriver } from './driver.ts';
import { hasErrorCode, toStorageError, translatingErrors } from './storage-error.ts';

export interface WriterLock {
  release(): void;
}

/** Undefined if somebody else holds it. */
export async function tryLockFile(absPath: string): Promise<WriterLock | undefined> {
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
