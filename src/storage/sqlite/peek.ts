/** Reads a few numbers without preparing a statement, so that closing the connection really lets go of its file. */
import { AppError } from '../../core/index.ts';
import type { Connection } from './driver.ts';

/** The values of these SQL expressions, in order. */
export function peekIntegers(connection: Connection, expressions: readonly string[]): readonly number[] {
  let seen: readonly number[] | undefined;
  connection.function('waymark_peek', { varargs: true }, (...values) => {
    seen = values.map(Number);
    return null;
  });
  connection.exec(`SELECT waymark_peek(${expressions.join(', ')})`);
  if (seen?.length !== expressions.length)
    throw new AppError('internal', 'A query without conditions found no row.');
  return seen;
}
