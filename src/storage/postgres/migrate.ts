/** Brings the tables to what this release needs, one instance at a time. */
import { AppError } from '../../core/index.ts';
import type { Database, Queries } from './database.ts';
import { numberColumn } from './driver.ts';
import { SCHEMA_STEPS, SCHEMA_VERSION } from './schema.ts';

/** Any number that no other program of the database uses. */
const LOCK = 7_411_001;

/** Resolves with the id of the tenant, which is made if it is not there. */
export function prepareDatabase(database: Database, tenant: string): Promise<number> {
  return database.write(async (queries) => {
    await queries.run('SELECT pg_advisory_xact_lock($1)', LOCK);
    await queries.run(
      'CREATE TABLE IF NOT EXISTS schema_step (version integer PRIMARY KEY, name text NOT NULL, oldest integer NOT NULL)',
    );
    await migrate(queries);
    const [row] = await queries.all(
      `INSERT INTO tenant (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
      tenant,
    );
    return row === undefined ? 0 : numberColumn(row, 'id');
  });
}

/** `oldest`: the first release of the schema that still works with a step. A later one only adds, so it stays as it was. */
const OLDEST_THAT_WORKS = 1;

async function migrate(queries: Queries): Promise<void> {
  const [last] = await queries.all('SELECT version, oldest FROM schema_step ORDER BY version DESC LIMIT 1');
  const version = last === undefined ? 0 : numberColumn(last, 'version');
  if (last !== undefined && numberColumn(last, 'oldest') > SCHEMA_VERSION)
    throw new AppError('storage_newer', 'The database was made for a newer Waymark.', {
      hint: 'Update this instance.',
    });
  for (const step of SCHEMA_STEPS) {
    if (step.version <= version) continue;
    await queries.run(step.up);
    await queries.run(
      'INSERT INTO schema_step (version, name, oldest) VALUES ($1, $2, $3)',
      step.version,
      step.name,
      OLDEST_THAT_WORKS,
    );
  }
}
