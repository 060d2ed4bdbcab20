/** What an operator does with a database: its tables, and whose it is. */
import { AppError, type Logger } from '../../core/index.ts';
import { createDatabase } from './database.ts';
import { checkAddress, numberColumn, textColumn } from './driver.ts';
import { addTenant, migrate, readSchema, type SchemaState } from './migrate.ts';
import type { SchemaStep } from './schema-step.ts';

export interface TenantSize {
  readonly name: string;
  readonly projects: number;
  readonly files: number;
  readonly memories: number;
  readonly entries: number;
}

export interface StorageAdmin {
  schema(): Promise<SchemaState>;
  /** Resolves with what was done. Destructive steps only with `contract`. */
  migrate(options: { readonly contract: boolean }): Promise<readonly Pick<SchemaStep, 'version' | 'name'>[]>;
  tenants(): Promise<readonly TenantSize[]>;
  /** Making one that is there changes nothing. */
  addTenant(name: string): Promise<void>;
  /** With all that is kept of it. Throws `not_found`. */
  removeTenant(name: string): Promise<void>;
  close(): Promise<void>;
}

/** In this order no row is left that another one needs. */
const TABLES = [
  'content_source',
  'pushed_tree',
  'kept_view_piece',
  'kept_view',
  'history',
  'embedding',
  'skip',
  'tree_file',
  'content',
  'tree',
  'project',
  'entry_vector',
  'entry_word',
  'bin',
  'entry',
  'entry_version',
  'change',
  'identity',
  'linked_file',
  'space',
  'link',
  'known_project',
] as const;

export function openStorageAdmin(url: string, logger: Logger): StorageAdmin {
  checkAddress(url);
  const database = createDatabase(url, logger, { mostConnections: 1 });
  return {
    schema: () => readSchema(database),
    migrate: ({ contract }) => migrate(database, { contract }),
    async tenants() {
      const rows = await database.all(
        `SELECT t.name, (SELECT count(*) FROM project p WHERE p.tenant_id = t.id) AS projects,
           (SELECT count(*) FROM tree_file f WHERE f.tenant_id = t.id) AS files,
           (SELECT count(*) FROM space s WHERE s.tenant_id = t.id) AS memories,
           (SELECT count(*) FROM entry e WHERE e.tenant_id = t.id AND e.deleted_at IS NULL) AS entries
         FROM tenant t ORDER BY t.name`,
      );
      return rows.map((row) => ({
        name: textColumn(row, 'name'),
        projects: numberColumn(row, 'projects'),
        files: numberColumn(row, 'files'),
        memories: numberColumn(row, 'memories'),
        entries: numberColumn(row, 'entries'),
      }));
    },
    addTenant: async (name) => void (await database.write((queries) => addTenant(queries, name))),
    removeTenant: (name) =>
      database.write(async (queries) => {
        const [row] = await queries.all('SELECT id FROM tenant WHERE name = $1 FOR UPDATE', name);
        if (row === undefined) throw new AppError('not_found', 'There is no tenant of that name.');
        const id = numberColumn(row, 'id');
        for (const table of TABLES) await queries.run(`DELETE FROM ${table} WHERE tenant_id = $1`, id);
        await queries.run('DELETE FROM tenant WHERE id = $1', id);
      }),
    close: () => database.close(),
  };
}
