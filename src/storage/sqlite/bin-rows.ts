/** The rows that say how long entries have been in the bin. */
import type { BinAge, BinRow } from '../plan-bin.ts';
import { numberColumn, type Row } from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

export function readBin(tx: ReadTx): readonly BinRow[] {
  return tx
    .all(
      'SELECT entry.seq, seen_at, age_ms FROM entry LEFT JOIN bin USING (seq) WHERE deleted_at IS NOT NULL',
    )
    .map((row) => ({
      seq: numberColumn(row, 'seq'),
      seenAt: optional(row, 'seen_at'),
      ageMs: optional(row, 'age_ms') ?? 0,
    }));
}

export function writeBinAge(tx: WriteTx, { seq, seenAt, ageMs }: BinAge): void {
  tx.run('INSERT OR REPLACE INTO bin (seq, seen_at, age_ms) VALUES (?, ?, ?)', seq, seenAt, ageMs);
}

export function takeOutOfBin(tx: WriteTx, seq: number): void {
  tx.run('DELETE FROM bin WHERE seq = ?', seq);
}

function optional(row: Row, column: string): number | undefined {
  const value = row[column];
  return typeof value === 'number' ? value : undefined;
}
