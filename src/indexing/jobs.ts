/** Background index jobs: at most one per project, shared by all callers that wait for it, found by its id. */
import {
  AppError,
  type Clock,
  type ErrorCode,
  estimate,
  type Estimate,
  type Logger,
  toAppError,
} from '../core/index.ts';
import type { IndexOptions, IndexOutcome } from './index-run.ts';
import type { IndexProgress } from './reconcile.ts';

export type JobEnd =
  | IndexOutcome
  /** Every holder left, or the process ends; the next run goes on from there. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface Job {
  /** What `project_status` follows. */
  readonly id: string;
  readonly root: string;
  /** Undefined until it is known how much there is to do. */
  progress(): (IndexProgress & Estimate) | undefined;
  /** Resolves when it is known how much there is to do, or when it ended before that. */
  readonly planned: Promise<void>;
  readonly ended: Promise<JobEnd>;
  /** Undefined while it runs. */
  end(): JobEnd | undefined;
  /** Calls back on each progress until the returned function is called. */
  listen(listener: (progress: IndexProgress) => void): () => void;
  /** Keeps it running until the returned function is called. A job whose last holder left is stopped. */
  hold(): () => void;
  stop(): void;
}

export interface JobsParts {
  readonly run: (root: string, options: IndexOptions) => Promise<IndexOutcome>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Jobs {
  /** Starts a job, or joins the one that runs. Hold it: a job without holders may be stopped. */
  start(root: string): Job;
  running(root: string): Job | undefined;
  find(id: string): Job | undefined;
  /** Stops everything and waits until it has. */
  close(): Promise<void>;
}

/** Ended jobs that can still be asked about. */
const MAX_ENDED = 100;

export function createJobs(parts: JobsParts): Jobs {
  const running = new Map<string, Job>();
  const known = new Map<string, Job>();
  let closed = false;

  const forgetOld = (): void => {
    const ended = [...known.values()].filter((job) => job.end() !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) known.delete(id);
  };

  return {
    start(root) {
      const joined = running.get(root);
      if (joined !== undefined) return joined;
      if (closed)
        throw new AppError('interrupted', 'Waymark is shutting down.', { hint: 'Try again later.' });
      const job = createJob(root, parts, () => {
        running.delete(root);
        forgetOld();
      });
      running.set(root, job);
      known.set(job.id, job);
      return job;
    },
    running: (root) => running.get(root),
    find: (id) => known.get(id),
    async close() {
      closed = true;
      const jobs = [...running.values()];
      for (const job of jobs) job.stop();
      await Promise.all(jobs.map((job) => job.ended));
    },
  };
}

function createJob(root: string, { run, newId, clock, logger }: JobsParts, onEnd: () => void): Job {
  const id = newId();
  const stop = new AbortController();
  const listeners = new Set<(progress: IndexProgress) => void>();
  const holders = new Set<symbol>();
  let progress: IndexProgress | undefined;
  let plannedAt = 0;
  let end: JobEnd | undefined;
  let setPlanned = (): void => {};
  const planned = new Promise<void>((resolve) => (setPlanned = resolve));

  const onProgress = (step: IndexProgress): void => {
    if (progress === undefined) plannedAt = clock.elapsed();
    progress = step;
    setPlanned();
    for (const listener of listeners) listener(step);
  };
  const settle = (how: JobEnd): JobEnd => {
    end = how;
    setPlanned();
    onEnd();
    return how;
  };
  const ended = run(root, { signal: stop.signal, onProgress }).then(settle, (thrown: unknown) => {
    if (stop.signal.aborted) return settle({ kind: 'stopped' });
    const error = toAppError(thrown);
    logger.warn('indexing failed', { root, code: error.code, reason: reasonOf(thrown) });
    return settle({ kind: 'failed', error });
  });

  return {
    id,
    root,
    planned,
    ended,
    progress: () =>
      progress === undefined
        ? undefined
        : { ...progress, ...estimate(progress, clock.elapsed() - plannedAt) },
    end: () => end,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hold() {
      const holder = Symbol('holder');
      holders.add(holder);
      return () => {
        if (holders.delete(holder) && holders.size === 0) stop.abort();
      };
    },
    stop: () => stop.abort(),
  };
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'unknown';
}

export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly maxMs: number;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Decides, once it is known how much there is to do, whether to wait for it. */
  readonly isWorth?: (work: IndexProgress) => boolean;
}

/** Waits with time-out and cancellation. How the job ended; undefined if it still runs. Throws `interrupted` when aborted. */
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

export type Operation = { readonly id: string; readonly root: string } & OperationState;

export type OperationState =
  | {
      readonly state: 'running';
      /** Unknown while the work is being counted. */
      readonly percent?: number | undefined;
      readonly etaMs?: number | undefined;
      readonly done?: number | undefined;
      readonly total?: number | undefined;
    }
  | { readonly state: 'done'; readonly counts: Omit<Extract<IndexOutcome, { kind: 'done' }>, 'kind'> }
  /** Another process is indexing the project; its index is this one too. */
  | { readonly state: 'elsewhere' }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly failure: OperationFailure };

export interface OperationFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** A run that was asked for, as far as it came while the caller waited. */
export type IndexRun = Operation & { /** Files in the index, once it is done. */ readonly files?: number };

export function toOperation(job: Job): Operation {
  return { id: job.id, root: job.root, ...operationState(job, job.end()) };
}

function operationState(job: Job, end: JobEnd | undefined): OperationState {
  switch (end?.kind) {
    case undefined: {
      const { percent, etaMs, done, total } = job.progress() ?? {};
      return { state: 'running', percent, etaMs, done, total };
    }
    case 'done': {
      const { kind: _done, ...counts } = end;
      return { state: 'done', counts };
    }
    case 'busy':
      return { state: 'elsewhere' };
    case 'stopped':
      return { state: 'stopped' };
    case 'failed':
      return { state: 'failed', failure: toOperationFailure(end.error) };
  }
}

function toOperationFailure({ code, message, hint, facts }: AppError): OperationFailure {
  // A bug has no words of its own for the caller; the log has its stack.
  return { code, message: facts.fault === 'bug' ? 'Indexing failed.' : message, hint };
}
