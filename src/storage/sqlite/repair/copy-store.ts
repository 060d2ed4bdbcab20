/** A copy of a store as one file, taken while others read and write. */
import { dirname } from 'node:path';
import { ensurePrivateDir, ensurePrivateFile, syncFile } from '../../../platform/index.ts';
import type { Connection } from '../driver.ts';

/** On disk when this returns. The target must not exist, or be empty. */
export function copyStore(connection: Connection, absPath: string): void {
  ensurePrivateDir(dirname(absPath));
  // Made first, so that it is private from its first byte.
  ensurePrivateFile(absPath);
  connection.exec(`VACUUM INTO '${absPath.replaceAll("'", "''")}'`);
  // SQLite does not wait for the disk here.
  syncFile(absPath);
}
