/** The operator's side of a shared database: loaded by the commands that need it. */
import { openStorageAdmin, type StorageAdmin } from '../../storage/index.ts';
import { silentLogger } from '../../text/index.ts';

export function openAdmin(url: string): StorageAdmin {
  return openStorageAdmin(url, silentLogger);
}
