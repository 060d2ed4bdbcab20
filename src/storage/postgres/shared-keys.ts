/** Keys that all instances of a database sign with, so that any of them believes what another one signed. */
import type { Clock } from '../../core/index.ts';
import type { Database } from './database.ts';
import { optionalText, textColumn } from './driver.ts';
import type { SharedKeys } from '../storage.ts';

const MOST_AGE_MS = 30 * 24 * 3600 * 1000;

/** `fresh` becomes the key if there is none, or none that is young enough; the one before it stays beside it. */
export async function readSharedKeys(
  database: Database,
  { name, fresh, clock }: { readonly name: string; readonly fresh: string; readonly clock: Clock },
): Promise<SharedKeys> {
  const now = clock.now();
  const read = () =>
    database.all(
      'SELECT current, previous, made_at > $2 AS is_young FROM shared_key WHERE name = $1',
      name,
      now - MOST_AGE_MS,
    );
  let [row] = await read();
  if (row?.['is_young'] !== true) {
    // Of two instances that find an old one, the second finds the first one's.
    await database.all(
      `INSERT INTO shared_key AS known (name, current, made_at) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET previous = known.current, current = excluded.current, made_at = excluded.made_at
       WHERE known.made_at <= $4`,
      name,
      fresh,
      now,
      now - MOST_AGE_MS,
    );
    [row] = await read();
  }
  if (row === undefined) return { current: fresh, previous: undefined };
  return { current: textColumn(row, 'current'), previous: optionalText(row, 'previous') };
}
