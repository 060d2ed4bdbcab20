import type { Clock } from '../core/index.ts';

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: elapsedMs,
};

/** Milliseconds since some moment. Not by `performance`: the first use of it loads nine modules, in every process. */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
