/** Writes rows of any engine as a backup: a memory file like those that the embedded engine keeps. */
import type { Clock, Logger } from '../../../core/index.ts';
import { removeIfPresent } from '../../../platform/index.ts';
import type { MemoryRows } from '../../memory-rows.ts';
import { replaceRows } from '../memory-queries.ts';
import { MEMORY_MIGRATIONS } from '../memory-schema.ts';
import { openDatabase } from '../open-database.ts';
import { SIDE_FILES } from './quarantine.ts';

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
  const draft = `${absPath}.part`;
  const store = await openDatabase({
    absPath: draft,
    migrations: MEMORY_MIGRATIONS,
    durability: 'full',
    onDamage: 'rebuild',
    ...parts,
  });
  try {
    await store.write((tx) => replaceRows(tx, rows, NO_KEYS));
    // One file, without what a store has beside it.
    store.copyTo(absPath);
  } finally {
    store.close();
    for (const suffix of ['', '.lock', ...SIDE_FILES]) removeIfPresent(draft + suffix);
  }
}
