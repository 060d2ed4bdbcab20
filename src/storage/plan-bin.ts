/**
 * How long entries have been in the bin by what the store has seen of it. The clock of a machine may jump: time that passes
 * while a store is not looked at counts only up to a week at each look, so that one jump does not empty the bin.
 */
const DAY_MS = 24 * 3600 * 1000;
/** The most that one look adds. */
export const MOST_STEP_MS = 7 * DAY_MS;

export interface BinAge {
  readonly seq: number;
  readonly seenAt: number;
  readonly ageMs: number;
}

/** `seenAt` is undefined for an entry that was never looked at. */
export interface BinRow {
  readonly seq: number;
  readonly seenAt: number | undefined;
  readonly ageMs: number;
}

/** The ages that changed, and which entries have been there for long enough. Pure. */
export function planBin(
  rows: readonly BinRow[],
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
