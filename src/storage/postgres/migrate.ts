/**
 * Brings the tables to what this release needs, one instance at a time. Steps that add run by themselves, and releases that lack them go on
 * beside those that have them. Steps that take something away run when they are asked for, once no old release is left.
 */
import { AppError } from '../../core/index.ts';
import type { Database, Queries } from './database.ts';
import { numberColumn, textColumn } from './driver.ts';
import type { SchemaStep } from './schema-step.ts';
import { SCHEMA_STEPS, SCHEMA_VERSION } from './schema.ts';

/** Any number that no other program of the database uses. */
const LOCK = 7_411_001;

export interface MigrateOptions {
  readonly steps?: readonly SchemaStep[];
  /** Steps that take something away are done, too. */
  readonly contract?: boolean;
}

export interface SchemaState {
  readonly version: number;
  readonly done: readonly { readonly version: number; readonly name: string }[];
  /** What is left to do, destructive steps last. */
  readonly waiting: readonly Pick<SchemaStep, 'version' | 'name' | 'contracts'>[];
}

/** Resolves with the id of the tenant, which is made if it is not there. */
export async function prepareDatabase(
  database: Database,
  tenant: string,
  options: MigrateOptions = {},
): Promise<number> {
  const { steps = SCHEMA_STEPS } = options;
  // Most starts find all as it should be, and wait for no other.
  const known = await findTenant(database, tenant, steps).catch(() => undefined);
  if (known !== undefined) return known;
  return database.write(async (queries) => {
    await migrateLocked(queries, { ...options, contract: false });
    return addTenant(queries, tenant);
  });
}

/** Resolves with the steps that were done now. */
export function migrate(database: Database, options: MigrateOptions = {}): Promise<readonly SchemaStep[]> {
  return database.write((queries) => migrateLocked(queries, options));
}

export async function readSchema(
  queries: Pick<Queries, 'all'>,
  steps: readonly SchemaStep[] = SCHEMA_STEPS,
): Promise<SchemaState> {
  const [table] = await queries.all("SELECT to_regclass('schema_step')::text AS name");
  const rows =
    table?.['name'] === null || table === undefined
      ? []
      : await queries.all('SELECT version, name, oldest FROM schema_step ORDER BY version');
  checkOldest(rows.map((row) => numberColumn(row, 'oldest')));
  const done = rows.map((row) => ({ version: numberColumn(row, 'version'), name: textColumn(row, 'name') }));
  const waiting = steps.filter(({ version }) => done.every((step) => step.version !== version));
  return {
    version: Math.max(0, ...done.map(({ version }) => version)),
    done,
    waiting: [
      ...waiting.filter((step) => step.contracts === undefined),
      ...waiting.filter((step) => step.contracts !== undefined),
    ],
  };
}

/** `oldest`: the first release of the schema that still works with a step. */
function checkOldest(oldest: readonly number[]): void {
  if (oldest.every((version) => version <= SCHEMA_VERSION)) return;
  throw new AppError('storage_newer', 'The database was made for a newer Waymark.', {
    hint: 'Update this instance.',
  });
}

async function migrateLocked(
  queries: Queries,
  { steps = SCHEMA_STEPS, contract = false }: MigrateOptions,
): Promise<readonly SchemaStep[]> {
  await queries.run('SELECT pg_advisory_xact_lock($1)', LOCK);
  await queries.run(
    'CREATE TABLE IF NOT EXISTS schema_step (version integer PRIMARY KEY, name text NOT NULL, oldest integer NOT NULL)',
  );
  const { waiting } = await readSchema(queries, steps);
  const now = steps.filter(
    (step) =>
      (contract || step.contracts === undefined) && waiting.some(({ version }) => version === step.version),
  );
  for (const step of now) {
    await queries.run(step.up);
    await queries.run(
      'INSERT INTO schema_step (version, name, oldest) VALUES ($1, $2, $3)',
      step.version,
      step.name,
      step.contracts ?? OLDEST_THAT_WORKS,
    );
  }
  return now;
}

/** A step that only adds asks for no newer release. */
const OLDEST_THAT_WORKS = 1;

/** Undefined unless the tables are as this release wants them. */
async function findTenant(
  database: Database,
  tenant: string,
  steps: readonly SchemaStep[],
): Promise<number | undefined> {
  const needed = steps.filter(({ contracts }) => contracts === undefined).map(({ version }) => version);
  const [row] = await database.all(
    `SELECT t.id, (SELECT max(oldest) FROM schema_step) AS oldest FROM tenant t
     WHERE t.name = $1 AND (SELECT count(*) FROM schema_step WHERE version = ANY ($2::integer[])) = $3`,
    tenant,
    needed,
    needed.length,
  );
  if (row === undefined) return undefined;
  return numberColumn(row, 'oldest') > SCHEMA_VERSION ? undefined : numberColumn(row, 'id');
}

export async function addTenant(queries: Pick<Queries, 'all'>, name: string): Promise<number> {
  const [row] = await queries.all(
    `INSERT INTO tenant (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
    name,
  );
  return row === undefined ? 0 : numberColumn(row, 'id');
}
