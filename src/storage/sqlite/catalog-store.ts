/** The catalogue in a SQLite file. */
import { join } from 'node:path';
import { AppError, type Clock, type Logger } from '../../core/index.ts';
import type { CatalogStore, KnownProject } from '../catalog-store.ts';
import { numberColumn, type Row, textColumn } from './driver.ts';
import type { Migration } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteStore } from './sqlite-store.ts';

export interface OpenCatalogStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'projects',
    up: `
      CREATE TABLE project (
        root TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        seen_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX project_by_seen ON project (seen_at DESC, root);
      CREATE INDEX project_by_name ON project (name, seen_at DESC, root);
    `,
  },
];

export function catalogFile(dataDir: string): string {
  return join(dataDir, 'catalog.db');
}

/** Opens `<dataDir>/catalog.db`. A damaged catalogue starts anew: projects enter it again as they are used. */
export async function openCatalogStore({
  dataDir,
  clock,
  logger,
}: OpenCatalogStoreOptions): Promise<CatalogStore> {
  const store = await openDatabase({
    absPath: catalogFile(dataDir),
    migrations: MIGRATIONS,
    durability: 'full',
    onDamage: 'rebuild',
    clock,
    logger,
  });
  return createCatalogStore(store);
}

function createCatalogStore(store: SqliteStore): CatalogStore {
  return {
    remember: ({ root, name, seenAt }) =>
      store.write((tx) => {
        tx.run(
          `INSERT INTO project (root, name, seen_at) VALUES (?, ?, ?)
           ON CONFLICT (root) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at`,
          root,
          name,
          Math.trunc(seenAt),
        );
      }),
    list: async ({ limit }) => {
      // A negative limit means "all" to SQLite and is an error to others.
      if (!Number.isSafeInteger(limit) || limit < 0)
        throw new AppError('bad_argument', 'The limit is not a whole number.');
      const rows = store.read((tx) =>
        tx.all('SELECT root, name, seen_at FROM project ORDER BY seen_at DESC, root LIMIT ?', limit),
      );
      return rows.map(toKnownProject);
    },
    byName: async (name) => {
      const rows = store.read((tx) =>
        tx.all('SELECT root, name, seen_at FROM project WHERE name = ? ORDER BY seen_at DESC, root', name),
      );
      return rows.map(toKnownProject);
    },
    forget: (root) => store.write((tx) => tx.run('DELETE FROM project WHERE root = ?', root).changes > 0),
    close: async () => store.close(),
  };
}

function toKnownProject(row: Row): KnownProject {
  return {
    root: textColumn(row, 'root'),
    name: textColumn(row, 'name'),
    seenAt: numberColumn(row, 'seen_at'),
  };
}
