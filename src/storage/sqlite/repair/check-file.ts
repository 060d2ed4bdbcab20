/** A read-only check of a store's file, for `waymark doctor`. */
import { basename } from 'node:path';
import { lookAtFile } from '../../../platform/index.ts';
import { loadDriver, type Connection, hasErrorCode, toStorageError } from '../driver.ts';
import { APPLICATION_ID, isUnclaimed, peekIntegers, readIdentity } from '../inspect.ts';
import { LINK_MIGRATIONS, LINKS } from '../memory-spaces.ts';
import { readMemory, Unsound } from './read-memory.ts';
import { schemaProblem } from '../schema-objects.ts';

export type StoreCondition = 'sound' | 'damaged' | 'foreign' | 'busy' | 'unreadable';

const BUSY_TIMEOUT_MS = 1_000;

export async function checkStoreFile(absPath: string): Promise<StoreCondition> {
  const driver = await loadDriver();
  // Opening a pipe would wait for ever.
  if (lookAtFile(absPath, 0).kind !== 'file') return 'unreadable';
  try {
    return conditionOf(driver.connect(absPath, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
  } catch (thrown) {
    const error = toStorageError(thrown, basename(absPath));
    if (hasErrorCode(error, 'storage_damaged')) return 'damaged';
    return hasErrorCode(error, 'storage_busy') ? 'busy' : 'unreadable';
  }
}

/** What is wrong with the rows of a memory, or with the list of links, in a file that is sound otherwise. */
export async function checkMemoryFile(absPath: string): Promise<string | undefined> {
  const driver = await loadDriver();
  try {
    const connection = driver.connect(absPath, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    if (basename(absPath) !== LINKS) return void readMemory(connection);
    const wrong = schemaProblem((sql) => connection.prepare(sql).all(), LINK_MIGRATIONS);
    connection.close();
    return wrong;
  } catch (thrown) {
    if (thrown instanceof Unsound) return thrown.message;
    return hasErrorCode(toStorageError(thrown, basename(absPath)), 'storage_busy')
      ? undefined
      : 'it is damaged';
  }
}

function conditionOf(connection: Connection): StoreCondition {
  try {
    const identity = readIdentity(connection);
    if (identity.applicationId !== APPLICATION_ID && !isUnclaimed(identity)) return 'foreign';
    const [broken = 0] = peekIntegers(connection, [
      `(SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok')`,
    ]);
    return broken === 0 ? 'sound' : 'damaged';
  } finally {
    connection.close();
  }
}

/** The SQLite that is used, or why there is none. */
export async function readEngine(): Promise<{ readonly kind: string; readonly version: string }> {
  const { kind, sqliteVersion } = await loadDriver();
  return { kind, version: sqliteVersion };
}
