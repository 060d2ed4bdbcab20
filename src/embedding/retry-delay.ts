/** How long to wait before a request is sent once more. Pure. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A service that asks for a longer delay is tried again in the next pass. */
const MOST_PATIENCE_MS = 60_000;

export interface Refusal {
  /** From 0. */
  readonly attempt: number;
  /** What the service said: seconds, or a date. */
  readonly retryAfter: string | undefined;
  readonly now: number;
}

/** Undefined: not worth waiting for. */
export function retryDelayMs({ attempt, retryAfter, now }: Refusal): number | undefined {
  const asked = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now);
  if (asked !== undefined) return asked > MOST_PATIENCE_MS ? undefined : asked;
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
}

function parseRetryAfter(text: string, now: number): number | undefined {
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
