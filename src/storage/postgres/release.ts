/**
 * Each connection holds a shared lock with the schema version of its release, for as long as it lives. A step that takes something away
 * needs those of all older releases for itself: it is refused while one is connected, and one that connects meanwhile waits and is refused.
 */
import { AppError } from '../../core/index.ts';
import { connect, hasCode, optionalNumber, type Connection } from './driver.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** Beside the number of the schema: any that no other program of the database uses. */
export const RELEASE_LOCKS = 7_411_002;
const UNDEFINED_TABLE = '42P01';

/** Throws `storage_newer` where a step has taken away what this release needs. */
export async function connectAs(url: string, version = SCHEMA_VERSION): Promise<Connection> {
  const connection = await connect(url);
  try {
    const { rows } = await connection.run(
      `SELECT pg_advisory_lock_shared(${RELEASE_LOCKS}, ${version}); SELECT max(oldest) AS oldest FROM schema_step`,
    );
    const oldest = rows[0] === undefined ? undefined : optionalNumber(rows[0], 'oldest');
    if (oldest === undefined || oldest <= version) return connection;
    throw new AppError('storage_newer', 'The database was made for a newer Waymark.', {
      hint: 'Update this instance.',
    });
  } catch (thrown) {
    // An empty database; the lock is held all the same.
    if (hasCode(thrown, UNDEFINED_TABLE)) return connection;
    connection.close();
    throw thrown;
  }
}
