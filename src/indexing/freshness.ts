/** How an answer from the index relates to the files. */
import { AppError } from '../core/index.ts';
import type { Job, JobEnd } from './background.ts';

export type Freshness =
  | { readonly state: 'fresh' }
  /** `percent` is unknown while the work is being counted, and when another process does it. */
  | {
      readonly state: 'updating';
      readonly percent: number | undefined;
      readonly etaMs: number | undefined;
      readonly operationId: string | undefined;
    }
  | { readonly state: 'stale'; readonly why: string }
  | { readonly state: 'missing' };

/** What can be said without looking at the files. */
export type IndexState =
  | Extract<Freshness, { state: 'updating' | 'missing' }>
  | { readonly state: 'indexed' };

/** `end` is undefined while the job runs. */
export function toFreshness(job: Job, end: JobEnd | undefined, hasIndex: boolean): Freshness {
  switch (end?.kind) {
    case 'done':
      return { state: 'fresh' };
    case 'busy':
      return { state: 'updating', percent: undefined, etaMs: undefined, operationId: undefined };
    case 'stopped':
      throw new AppError('interrupted', 'Indexing was stopped.', { hint: 'Call again to go on.' });
    case 'failed':
      if (!hasIndex || end.error.facts.fault === 'bug') throw end.error;
      return { state: 'stale', why: end.error.message };
    case undefined:
      return toUpdating(job);
  }
}

export function toUpdating(job: Job): Extract<Freshness, { state: 'updating' }> {
  const progress = job.progress();
  return { state: 'updating', percent: progress?.percent, etaMs: progress?.etaMs, operationId: job.id };
}
