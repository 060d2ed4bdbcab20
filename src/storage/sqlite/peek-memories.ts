/**
 * Looks into memories and changes nothing: no check of the whole file, no keys, no log moved. For a process that has to answer
 * at once. Throws where a file is not as this version leaves it; opening it properly then says more, or makes it good.
 */
import { join } from 'node:path';
import { AppError } from '../../core/index.ts';
import { pathExists } from '../../platform/index.ts';
import { keptPlace, ownSpace } from '../admit-rows.ts';
import type { ListFilter, RecordGate, StoredEntry } from '../memory-store.ts';
import { type Connection, type Driver, loadDriver, translatingErrors } from './driver.ts';
import { APPLICATION_ID, readIdentity } from './inspect.ts';
import { listRows } from './memory-queries.ts';
import { latestVersion } from './migrate.ts';
import { MEMORY_MIGRATIONS } from './memory-schema.ts';
import { LINK_MIGRATIONS, LINKS, memoryDirectory } from './memory-spaces.ts';
import type { ReadTx } from './transactions.ts';

export interface MemoryPeek {
  /** Nothing where this identity has no memory. */
  list(identity: string, filter: ListFilter): readonly StoredEntry[];
}

/** Less than a hook has: another process may be recovering the log. */
const WAIT_MS = 50;

export async function peekMemories(dataDir: string, gate: RecordGate): Promise<MemoryPeek> {
  const driver = await loadDriver();
  const directory = memoryDirectory(dataDir);
  const links = join(directory, LINKS);
  const spaceOf = (identity: string): string => {
    const place = keptPlace(identity, gate);
    const [linked] = pathExists(links)
      ? look(driver, { absPath: links, version: latestVersion(LINK_MIGRATIONS) }, (tx) =>
          tx.all('SELECT space FROM link WHERE identity = ?', place),
        )
      : [];
    return typeof linked?.['space'] === 'string' ? linked['space'] : ownSpace(identity, gate);
  };
  return {
    list(identity, filter) {
      const absPath = join(directory, `${spaceOf(identity)}.db`);
      if (!pathExists(absPath)) return [];
      return look(driver, { absPath, version: latestVersion(MEMORY_MIGRATIONS) }, (tx) =>
        listRows(tx, filter),
      );
    },
  };
}

function look<Found>(
  driver: Driver,
  { absPath, version }: { readonly absPath: string; readonly version: number },
  read: (tx: ReadTx) => Found,
): Found {
  return translatingErrors('the memory', () => lookInto(driver, { absPath, version }, read));
}

function lookInto<Found>(
  driver: Driver,
  { absPath, version }: { readonly absPath: string; readonly version: number },
  read: (tx: ReadTx) => Found,
): Found {
  const connection: Connection = driver.connect(absPath, { readOnly: true, timeout: WAIT_MS });
  try {
    connection.enableDefensive?.(true);
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const found = readIdentity(connection);
    if (found.applicationId !== APPLICATION_ID || found.version !== version)
      throw new AppError('storage_unavailable', 'The memory was written by another version.');
    return read({
      get: (sql, ...values) => connection.prepare(sql).get(...values),
      all: (sql, ...values) => connection.prepare(sql).all(...values),
    });
  } finally {
    connection.close();
  }
}
