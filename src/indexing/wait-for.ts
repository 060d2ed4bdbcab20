/** Waiting for a job without being its prisoner: the caller may be cancelled, and patience may end. */
import { AppError } from '../core/index.ts';
import type { IndexProgress } from './indexer.ts';
import type { Job, JobEnd } from './background.ts';

export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly maxMs: number;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Decides, once it is known how much there is to do, whether to wait for it. */
  readonly isWorth?: (work: IndexProgress) => boolean;
}

/** How it ended; undefined if it still runs. Throws `interrupted` when `signal` is aborted. */
export async function waitFor(job: Job, options: WaitOptions): Promise<JobEnd | undefined> {
  const { signal, maxMs, onProgress, isWorth } = options;
  throwIfCancelled(signal);
  const leave = onProgress === undefined ? undefined : job.listen(onProgress);
  let giveUp = (): void => {};
  const over = new Promise<'over'>((resolve) => (giveUp = () => resolve('over')));
  const timer = maxMs === Infinity ? undefined : setTimeout(giveUp, maxMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([job.planned, over]);
    const work = job.progress();
    if (job.end() === undefined && work !== undefined && isWorth?.(work) === false) return undefined;
    await Promise.race([job.ended, over]);
    throwIfCancelled(signal);
    return job.end();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    leave?.();
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('interrupted', 'The call was cancelled.');
}
