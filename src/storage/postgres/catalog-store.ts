/** The catalogue of projects in PostgreSQL: that of one tenant. */
import { AppError } from '../../core/index.ts';
import type { CatalogStore, KnownProject } from '../catalog-store.ts';
import { numberColumn, type Row, textColumn } from './driver.ts';
import type { Tenancy } from './tenancy.ts';

export function createCatalogStore(open: () => Promise<Tenancy>): CatalogStore {
  let isClosed = false;
  const using = async <T>(work: (tenancy: Tenancy) => Promise<T>): Promise<T> => {
    if (isClosed) throw new AppError('internal', 'The catalogue was used after it had been closed.');
    return work(await open());
  };
  return {
    remember: ({ root, name, seenAt }) =>
      using(async ({ database, tenant }) => {
        await database.all(
          `INSERT INTO known_project (tenant_id, root, name, seen_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (tenant_id, root) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`,
          tenant,
          root,
          name,
          Math.trunc(seenAt),
        );
      }),
    list: ({ limit }) =>
      using(async ({ database, tenant }) => {
        if (!Number.isSafeInteger(limit) || limit < 0)
          throw new AppError('bad_argument', 'The limit is not a whole number.');
        const rows = await database.all(
          'SELECT root, name, seen_at FROM known_project WHERE tenant_id = $1 ORDER BY seen_at DESC, root LIMIT $2',
          tenant,
          limit,
        );
        return rows.map(toKnownProject);
      }),
    byName: (name) =>
      using(async ({ database, tenant }) => {
        const rows = await database.all(
          'SELECT root, name, seen_at FROM known_project WHERE tenant_id = $1 AND name = $2 ORDER BY seen_at DESC, root',
          tenant,
          name,
        );
        return rows.map(toKnownProject);
      }),
    forget: (root) =>
      using(({ database, tenant }) =>
        database.write(
          async (queries) =>
            (await queries.run(
              'DELETE FROM known_project WHERE tenant_id = $1 AND root = $2',
              tenant,
              root,
            )) > 0,
        ),
      ),
    close: async () => void (isClosed = true),
  };
}

function toKnownProject(row: Row): KnownProject {
  return {
    root: textColumn(row, 'root'),
    name: textColumn(row, 'name'),
    seenAt: numberColumn(row, 'seen_at'),
  };
}
