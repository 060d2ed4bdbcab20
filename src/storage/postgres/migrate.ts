/**
 * Brings the tables to what this release needs, one instance at a time. Steps that add run by themselves, and releases that lack them go on
 * beside those that have them. Steps that take something away run when they are asked for, once no old release is left.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/index.ts';
import { type Database, type Queries, toQueries, transact } from './database.ts';
import { isConnectionLost, numberColumn, textColumn } from './driver.ts';
import { RELEASE_LOCKS } from './release.ts';
import type { SchemaStep } from './schema-step.ts';
import { SCHEMA_STEPS } from './schema.ts';

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
  readonly waiting: readonly SchemaStep[];
}

/** Resolves with the id of the tenant, which is made if it is not there. */
export async function prepareDatabase(
  database: Database,
  tenant: string,
  steps: readonly SchemaStep[] = SCHEMA_STEPS,
): Promise<number> {
  // Most starts find all as it should be, and wait for no other.
  const known = await findTenant(database, tenant, steps).catch(() => undefined);
  if (known !== undefined) return known;
  await migrate(database, { steps });
  return addTenant(database, tenant);
}

/** Resolves with the steps that were done now. Each is done whole or not at all. */
export async function migrate(
  database: Database,
  { steps = SCHEMA_STEPS, contract = false }: MigrateOptions = {},
): Promise<readonly SchemaStep[]> {
  const { waiting } = await readSchema(database, steps);
  const done: SchemaStep[] = [];
  for (const step of waiting)
    if ((contract || step.contracts === undefined) && (await takeStep(database, step))) done.push(step);
  return done;
}

export async function readSchema(
  queries: Pick<Queries, 'all'>,
  steps: readonly SchemaStep[] = SCHEMA_STEPS,
): Promise<SchemaState> {
  const [table] = await queries.all("SELECT to_regclass('schema_step')::text AS name");
  const rows =
    table?.['name'] === null || table === undefined
      ? []
      : await queries.all('SELECT version, name FROM schema_step ORDER BY version');
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

/** Those who want a table that a step waits for wait behind it: it gives up soon, and tries again. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '500ms'";
const PAUSE_MS = 250;
const MOST_TRIES = 20;

/** Resolves with false if another instance has done it. */
async function takeStep(database: Database, step: SchemaStep): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(database, (queries) => takeStepLocked(queries, step));
    } catch (thrown) {
      const mayRepeat = (step.contracts === undefined && isBusy(thrown)) || isConnectionLost(thrown);
      if (tries === MOST_TRIES || !mayRepeat) throw thrown;
      await delay(PAUSE_MS);
    }
  }
}

/** Without the mark that other writes leave, whose table a step makes. A step that was done is not done again. */
async function inTransaction<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  const { connection, letGo } = await database.hold();
  try {
    return await transact(connection, 'BEGIN', () => work(toQueries(connection)));
  } finally {
    letGo();
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'storage_busy';
}

async function takeStepLocked(queries: Queries, step: SchemaStep): Promise<boolean> {
  await queries.run('SELECT pg_advisory_xact_lock($1)', LOCK);
  await queries.run(
    'CREATE TABLE IF NOT EXISTS schema_step (version integer PRIMARY KEY, name text NOT NULL, oldest integer NOT NULL)',
  );
  const isDone = await queries.all('SELECT 1 FROM schema_step WHERE version = $1', step.version);
  if (isDone.length > 0) return false;
  if (step.contracts !== undefined) await keepOlderOut(queries, step.contracts);
  await queries.run(LOCK_TIMEOUT);
  await queries.run(step.up);
  await queries.run(
    'INSERT INTO schema_step (version, name, oldest) VALUES ($1, $2, $3)',
    step.version,
    step.name,
    step.contracts ?? OLDEST_THAT_WORKS,
  );
  return true;
}

/** Until the transaction ends no release older than `version` is connected. Throws `storage_busy` if one is now. */
async function keepOlderOut(queries: Queries, version: number): Promise<void> {
  const [row] = await queries.all(
    'SELECT coalesce(bool_and(pg_try_advisory_xact_lock($1, older)), true) AS got FROM generate_series(1, $2::integer - 1) older',
    RELEASE_LOCKS,
    version,
  );
  if (row?.['got'] === true) return;
  const holders = await queries.all(
    `SELECT DISTINCT coalesce(host(a.client_addr), 'its own machine') AS place FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1::oid AND l.objid < $2::oid AND l.objsubid = 2 AND a.datname = current_database()
     ORDER BY place`,
    RELEASE_LOCKS,
    version,
  );
  const places = holders.map((holder) => textColumn(holder, 'place')).join(', ');
  throw new AppError('storage_busy', `An older Waymark is still connected to the database, from ${places}.`, {
    hint: 'Replace it, then call this again.',
  });
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
    `SELECT t.id FROM tenant t
     WHERE t.name = $1 AND (SELECT count(*) FROM schema_step WHERE version = ANY ($2::integer[])) = $3`,
    tenant,
    needed,
    needed.length,
  );
  return row === undefined ? undefined : numberColumn(row, 'id');
}

export async function addTenant(queries: Pick<Queries, 'all'>, name: string): Promise<number> {
  const [row] = await queries.all(
    `INSERT INTO tenant (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
    name,
  );
  return row === undefined ? 0 : numberColumn(row, 'id');
}
