/** How far a run is and how long it will still take. Pure. */

/** How much of a run is done. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface Estimate {
  /** Whole, and 100 only when nothing is left. */
  readonly percent: number;
  /** Undefined while there is nothing to judge by. */
  readonly etaMs: number | undefined;
}

/** By bytes rather than files: large files are what takes long. `ranMs` counts from the first progress. */
export function estimate({ done, total, doneBytes, totalBytes }: Progress, ranMs: number): Estimate {
  if (done >= total) return { percent: 100, etaMs: 0 };
  const share = totalBytes > 0 ? doneBytes / totalBytes : done / total;
  const percent = Math.min(99, Math.floor(share * 100));
  return { percent, etaMs: share > 0 ? Math.round((ranMs * (1 - share)) / share) : undefined };
}
