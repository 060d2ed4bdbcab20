/**
 * How long entries have been in the bin by what the store has seen of it. The clock of a machine may jump: time that passes
 * while a store is not looked at counts only up to a week at each look, so that one jump does not empty the bin.
 */
import { numberColumn, type Row } from './driver.ts';
import type { ReadTx, WriteTx } from './transactions.ts';

const DAY_MS = 24 * 3600 * 1000;
/** The most that one look adds. */
export const MOST_STEP_MS = 7 * DAY_MS;

export interface BinAge {
  readonly seq: number;
  readonly seenAt: number;
  readonly ageMs: number;
}

/** The ages that changed, and which entries have been there for long enough. Pure. */
export function planBin(
  rows: readonly { readonly seq: number; readonly seenAt: number | undefined; readonly ageMs: number }[],
  now: number,
  keepMs: number,
): { readonly changed: readonly BinAge[]; readonly expired: readonly number[] } {
  const looked = rows.map(({ seq, seenAt, ageMs }) => {
    const gapMs = now - (seenAt ?? now);
    const isDue = seenAt === undefined || gapMs < 0 || gapMs >= DAY_MS;
    const grownMs = isDue ? ageMs + Math.min(Math.max(gapMs, 0), MOST_STEP_MS) : ageMs;
    return { seq, seenAt: now, ageMs: grownMs, isDue };
  });
  return {
    changed: looked.filter(({ isDue }) => isDue),
    expired: looked.filter(({ ageMs }) => ageMs >= keepMs).map(({ seq }) => seq),
  };
}

export function readBin(tx: ReadTx): Parameters<typeof planBin>[0] {
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
