/** Where the index of a project is, and its two locks: one writer and one follower at a time. */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { ensurePrivateDir, ensurePrivateFile } from '../../platform/index.ts';
import { loadDriver } from './driver.ts';
import { INDEX_SCHEMA_VERSION } from './index-schema.ts';
import { hasErrorCode, toStorageError, translatingErrors } from './storage-error.ts';

/** The kept view of an index, and its draft: behind the name of the index. */
export const VIEW_FILES = ['-view', '-view.part'] as const;

/** One file per project and schema: readable enough to recognise, unique by its digest. */
export function indexFile(cacheDir: string, root: string): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(cacheDir, 'indexes', `${name}-${digest}-v${INDEX_SCHEMA_VERSION}.db`);
}

/** Undefined if another process is writing this project's index. */
export function tryWriterLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLockFile(`${indexFile(cacheDir, root)}.writer`);
}

/** Held for as long as a process follows the project's files; undefined if another one does. */
export function tryFollowerLock(cacheDir: string, root: string): Promise<WriterLock | undefined> {
  return tryLockFile(`${indexFile(cacheDir, root)}.follower`);
}

export interface WriterLock {
  release(): void;
}

/** SQLite's own lock on an empty file: works on every platform and dies with its holder. Undefined if another process holds it. */
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
