/** Says how a store's file is without changing it: for a doctor, who must not treat while looking. */
import { basename } from 'node:path';
import { loadDriver, type Connection } from './driver.ts';
import { APPLICATION_ID, isUnclaimed, readIdentity } from './inspect.ts';
import { peekIntegers } from './peek.ts';
import { hasErrorCode, toStorageError } from './storage-error.ts';

export type StoreCondition = 'sound' | 'damaged' | 'foreign' | 'busy' | 'unreadable';

const BUSY_TIMEOUT_MS = 1_000;

export async function checkStoreFile(absPath: string): Promise<StoreCondition> {
  const driver = await loadDriver();
  try {
    return conditionOf(driver.connect(absPath, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
  } catch (thrown) {
    const error = toStorageError(thrown, basename(absPath));
    if (hasErrorCode(error, 'storage_damaged')) return 'damaged';
    return hasErrorCode(error, 'storage_busy') ? 'busy' : 'unreadable';
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
