/** Writes rows of any engine as a backup: a memory file like those that the embedded engine keeps. */
import type { Clock, Logger } from '../../../core/index.ts';
import { removeIfPresent } from '../../../platform/index.ts';
import type { MemoryRows } from '../../memory-rows.ts';
import { replaceRows } from '../memory-queries.ts';
import { MEMORY_MIGRATIONS } from '../memory-schema.ts';
import { openDatabase } from '../open-database.ts';

/** Its keys are made when it is read: they are of one release. */
const NO_KEYS = {
  version: '',
  keysOf: () => ({ fingerprint: undefined, title: '', body: '', vector: undefined }),
};

export async function writeBackup(
  absPath: string,
  rows: MemoryRows,
  parts: { readonly clock: Clock; readonly logger: Logger },
): Promise<void> {
  const store = await openDatabase({
    absPath,
    migrations: MEMORY_MIGRATIONS,
    durability: 'full',
    onDamage: 'rebuild',
    ...parts,
  });
  try {
    await store.write((tx) => replaceRows(tx, rows, NO_KEYS));
  } finally {
    store.close();
    removeIfPresent(`${absPath}.lock`);
  }
}
