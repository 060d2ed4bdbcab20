/** Whether a file's time can be trusted to tell the next write from the last one. */

/** The longest step in which file systems count time (FAT). */
const COARSE_STEP_MS = 2_000;
/** A kernel's tick is 10 ms at most, and its clock of files may be one behind. */
const FINE_STEP_MS = 25;

/** So recent that a further write could bear the same time. `changedMs` may have a fraction, which tells the step apart. */
export function mayBearSameTime(changedMs: number, nowMs: number): boolean {
  // Where times are not whole multiples of 10 ms, the file system keeps at least the kernel's ticks.
  const step = changedMs % 10 === 0 ? COARSE_STEP_MS : FINE_STEP_MS;
  return nowMs - changedMs < step;
}
