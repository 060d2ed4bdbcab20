/** Sizes and durations as people read them. Pure. */

const STEP = 1024;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
/** Below, one digit behind the point says something. */
const WHOLE_FROM = 10;

/** `512 B`, `1.2 KB`, `41 MB`. */
export function renderSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // What would be shown as 1024 of one unit is 1.0 of the next.
  while (Math.round(size) >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const number = unit === 0 || size >= WHOLE_FROM ? Math.round(size) : size.toFixed(1);
  return `${number} ${UNITS[unit]}`;
}

/** `250 ms`, `3 s`, `4 min`. */
export function renderDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
