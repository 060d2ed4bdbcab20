/** The memories of one tenant. */
import { AppError, type Clock, type MemoryBudget } from '../../core/index.ts';
import { isSpaceName, keptPlace, ownSpace } from '../admit-rows.ts';
import type { MemorySpaces } from '../memory-spaces.ts';
import type { KeyMaker, RecordGate } from '../memory-store.ts';
import { textColumn } from './driver.ts';
import { type BackupFiles, openMemoryStore, type PostgresMemory } from './memory-store.ts';
import type { Locks } from './open-lock.ts';
import type { Tenancy } from './tenancy.ts';

export interface MemorySpacesParts {
  readonly tenancy: () => Promise<Tenancy>;
  /** Asked for when the first memory is opened. */
  readonly keyMaker: () => KeyMaker;
  readonly gate: RecordGate;
  readonly backups: BackupFiles;
  /** What the words of memories may take; tenants share it. */
  readonly words: MemoryBudget;
  readonly locks: Pick<Locks, 'step'>;
  readonly clock: Clock;
}

export function createMemorySpaces({
  tenancy,
  keyMaker,
  gate,
  backups,
  words,
  locks,
  clock,
}: MemorySpacesParts): MemorySpaces {
  const opened = new Map<string, Promise<PostgresMemory>>();
  let isClosed = false;

  /** Nothing is kept open but its number: it stays for as long as the process. */
  function open(name: string): Promise<PostgresMemory> {
    if (isClosed) throw new AppError('internal', 'The memories were used after they had been closed.');
    const known = opened.get(name);
    if (known !== undefined) return known;
    const parts = { tenancy, gate, backups, words, locks, clock };
    const store = openMemoryStore({ ...parts, name, keyMaker: keyMaker() });
    opened.set(name, store);
    // One that could not be opened is tried again at the next call.
    store.catch(() => opened.delete(name));
    return store;
  }

  return {
    async spaceOf(identity) {
      const { database, tenant } = await tenancy();
      const [row] = await database.all(
        'SELECT space FROM link WHERE tenant_id = $1 AND identity = $2',
        tenant,
        keptPlace(identity, gate),
      );
      return row === undefined ? ownSpace(identity, gate) : textColumn(row, 'space');
    },
    async link({ identity, space }) {
      const { database, tenant } = await tenancy();
      await database.all(
        `INSERT INTO link (tenant_id, identity, space) VALUES ($1, $2, $3)
         ON CONFLICT (tenant_id, identity) DO UPDATE SET space = excluded.space`,
        tenant,
        keptPlace(identity, gate),
        space,
      );
    },
    async unlink(identity) {
      const { database, tenant } = await tenancy();
      const place = keptPlace(identity, gate);
      return database.write(
        async (queries) =>
          (await queries.run('DELETE FROM link WHERE tenant_id = $1 AND identity = $2', tenant, place)) > 0,
      );
    },
    async links() {
      const { database, tenant } = await tenancy();
      const rows = await database.all(
        'SELECT identity, space FROM link WHERE tenant_id = $1 ORDER BY identity',
        tenant,
      );
      return rows.map((row) => ({ identity: textColumn(row, 'identity'), space: textColumn(row, 'space') }));
    },
    async list() {
      const { database, tenant } = await tenancy();
      const rows = await database.all('SELECT name FROM space WHERE tenant_id = $1 ORDER BY name', tenant);
      return rows.map((row) => textColumn(row, 'name'));
    },
    async exists(name) {
      // It stays, if it was opened here.
      if (opened.has(name)) return true;
      const { database, tenant } = await tenancy();
      const rows = await database.all('SELECT 1 FROM space WHERE tenant_id = $1 AND name = $2', tenant, name);
      return rows.length > 0;
    },
    open,
    async copy({ from, into }) {
      const [source, target] = [await open(from), await open(into)];
      return target.add(await source.rows());
    },
    checkBackup: async (absPath) => void (await backups.read(absPath)),
    isSpace: isSpaceName,
    async close() {
      isClosed = true;
      await Promise.allSettled([...opened.values()].map(async (store) => (await store).close()));
    },
  };
}
