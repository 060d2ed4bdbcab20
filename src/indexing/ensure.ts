/** Ensures an index to answer from: a call waits for little work, and goes on with what is there while much work runs. */
import { AppError } from '../core/index.ts';
import type { Following } from './following.ts';
import { waitFor, type Job, type JobEnd, type Jobs, type WaitOptions } from './jobs.ts';

/** How long a call waits for an index, and what counts as little work. */
export const WAIT_LIMITS = {
  /** Work of at most this much takes seconds: a call waits for it. */
  smallFiles: 3_000,
  smallBytes: 16 * 1024 * 1024,
  /** So few changed files are indexed without a job of their own; they should take no longer than this. */
  fewFiles: 100,
  fewMs: 2_000,
  /** A call that needs the index goes on with what is there after this. */
  needMs: 10_000,
  /** A call that asked for the index; clients give up on an answer after a minute. */
  askedMs: 40_000,
} as const;

/** How an answer from the index relates to the files. */
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

export interface EnsureOptions extends Pick<WaitOptions, 'signal' | 'onProgress'> {
  /** False for a project that is only a guess: its index may be read, nothing is written. */
  readonly mayWrite: boolean;
  /** `endless`: waits for much work too, for a process that ends with its answer. */
  readonly wait?: 'limited' | 'endless';
}

export type Ensure = (root: string, options: EnsureOptions) => Promise<Freshness>;

export interface EnsureParts {
  /** Whether a call that needs an index may make one. */
  readonly autoIndex: 'auto' | 'never';
  readonly hasIndex: (root: string) => boolean;
  readonly jobs: Jobs;
  readonly following: Following;
}

export function createEnsure({ autoIndex, hasIndex, jobs, following }: EnsureParts): Ensure {
  /** A few changed files are indexed at once; for more there is the job, which reports progress. */
  const isUpToDate = async (root: string): Promise<boolean> => {
    if (!hasIndex(root) || jobs.running(root) !== undefined) return false;
    const state = await following.check(root);
    if (state.kind === 'fresh') return true;
    const isMuch =
      state.kind === 'unknown' || (state.kind === 'changed' && state.count > WAIT_LIMITS.fewFiles);
    return !isMuch && (await following.catchUp(root, WAIT_LIMITS.fewMs)).kind === 'fresh';
  };

  return async (root, { signal, onProgress, mayWrite, wait = 'limited' }) => {
    if (autoIndex === 'never' || !mayWrite) {
      if (!hasIndex(root)) return { state: 'missing' };
      if ((await following.check(root)).kind === 'fresh') return { state: 'fresh' };
      return { state: 'stale', why: mayWrite ? 'automatic indexing is off' : 'the project is only a guess' };
    }
    if (await isUpToDate(root)) {
      following.follow(root);
      return { state: 'fresh' };
    }
    const job = jobs.start(root);
    // Never released: the next call needs the index too, even if this caller leaves.
    job.hold();
    const limits =
      wait === 'endless' ? { maxMs: Infinity } : { maxMs: WAIT_LIMITS.needMs, isWorth: isLittle };
    const end = await waitFor(job, { signal, onProgress, ...limits });
    if (end?.kind === 'done' || end?.kind === 'busy') following.follow(root);
    return toFreshness(job, end, hasIndex(root));
  };
}

function isLittle({ total, totalBytes }: { readonly total: number; readonly totalBytes: number }): boolean {
  return total <= WAIT_LIMITS.smallFiles && totalBytes <= WAIT_LIMITS.smallBytes;
}

/** `end` is undefined while the job runs. */
function toFreshness(job: Job, end: JobEnd | undefined, hasIndex: boolean): Freshness {
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
