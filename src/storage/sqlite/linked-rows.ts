/** The statements about files that are kept in step with a memory. */
import { textColumn } from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

export function readAgreed(tx: ReadTx): ReadonlyMap<string, string> {
  const rows = tx.all('SELECT entry_id, digest FROM linked_file');
  return new Map(rows.map((row) => [textColumn(row, 'entry_id'), textColumn(row, 'digest')]));
}

export function writeAgreed(tx: WriteTx, id: string, digest: string | undefined): void {
  if (digest === undefined) {
    tx.run('DELETE FROM linked_file WHERE entry_id = ?', id);
    return;
  }
  tx.run(
    `INSERT INTO linked_file (entry_id, digest) VALUES (?, ?)
     ON CONFLICT (entry_id) DO UPDATE SET digest = excluded.digest`,
    id,
    digest,
  );
}
