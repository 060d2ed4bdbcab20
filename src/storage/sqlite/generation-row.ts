/** The number of an index's last commit. */
import { numberColumn } from './columns.ts';
import type { ReadTx } from './transactions.ts';

export function readGeneration(tx: ReadTx): number {
  const row = tx.get('SELECT generation FROM state');
  return row === undefined ? 0 : numberColumn(row, 'generation');
}
