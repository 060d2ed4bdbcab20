/** How long a call waits for an index, and what counts as little work. One place, so that they can be weighed together. */
export const PATIENCE = {
  /** Work of at most this much is waited for: seconds at the most. */
  smallFiles: 3_000,
  smallBytes: 16 * 1024 * 1024,
  /** So few changed files are indexed without a job of their own; they should take no longer than this. */
  fewFiles: 100,
  fewMs: 2_000,
  /** A call that only needs the index goes on with what is there after this. */
  needMs: 10_000,
  /** A call that asked for the index; clients give up on an answer after a minute. */
  askedMs: 40_000,
} as const;
