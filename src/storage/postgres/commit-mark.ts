/**
 * Whether a transaction was committed whose connection was lost meanwhile. Its number does not tell: a database that died gives the
 * numbers of transactions that it lost to others. So each that writes leaves a row of its own, for a while.
 */
import { systemIds } from '../../platform/index.ts';
import { type Connection, connectionLost, hasCode } from './driver.ts';
import type { SchemaStep } from './schema-step.ts';

export const COMMIT_MARK_STEP: SchemaStep = {
  version: 3,
  name: 'marks of commits',
  up: `
    CREATE TABLE commit_mark (
      mark uuid PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT now()
    );
  `,
};

export interface CommitMark {
  readonly mark: string;
  /** The number of the transaction, which tells whether it still runs. */
  readonly id: string;
}

/** The last thing that a transaction does. Undefined if it has written nothing. */
export async function markCommit(connection: Connection): Promise<CommitMark | undefined> {
  const mark = systemIds.uuid();
  const { rows } = await connection.run(
    `INSERT INTO commit_mark (mark) SELECT $1::uuid WHERE pg_current_xact_id_if_assigned() IS NOT NULL
     RETURNING pg_current_xact_id()::text AS id`,
    [mark],
  );
  const id = rows[0]?.['id'];
  return typeof id === 'string' ? { mark, id } : undefined;
}

/** What the database says to a number that it has not given yet, or not any more. */
const NO_SUCH_NUMBER = '22023';

/** Throws as for a lost connection while that is open: the database may not have noticed yet, or waits for a standby that is away. */
export async function isCommitted(connection: Connection, { mark, id }: CommitMark): Promise<boolean> {
  if (await isRunning(connection, id)) throw connectionLost();
  const { rows } = await connection.run('SELECT 1 FROM commit_mark WHERE mark = $1::uuid', [mark]);
  return rows.length > 0;
}

async function isRunning(connection: Connection, id: string): Promise<boolean> {
  try {
    const { rows } = await connection.run('SELECT pg_xact_status($1::text::xid8) AS status', [id]);
    return rows[0]?.['status'] === 'in progress';
  } catch (thrown) {
    if (hasCode(thrown, NO_SUCH_NUMBER)) return false;
    throw thrown;
  }
}

/** Longer than any caller waits for the database to come back. */
export async function forgetOldMarks(connection: Connection): Promise<void> {
  await connection.run("DELETE FROM commit_mark WHERE at < now() - interval '1 hour'");
}
