/** The indexing runs of this process: at most one per project, shared by everyone who waits for it, findable by its id. */
import { AppError, estimate, toAppError, type Clock, type Estimate, type Logger } from '../core/index.ts';
import type { IndexOptions, IndexOutcome, IndexProgress } from './indexer.ts';

export type JobEnd =
  | IndexOutcome
  /** Nobody wanted it any more, or the process ends; the next run goes on from there. */
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
  /** Keeps it running until the returned function is called. A job that nobody holds any more is stopped. */
  hold(): () => void;
  stop(): void;
}

export interface BackgroundParts {
  readonly run: (root: string, options: IndexOptions) => Promise<IndexOutcome>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Background {
  /** Starts a run, or joins the one that runs. Hold it, or nobody does. */
  start(root: string): Job;
  running(root: string): Job | undefined;
  find(id: string): Job | undefined;
  /** Stops everything and waits until it has. */
  close(): Promise<void>;
}

/** Ended jobs that can still be asked about. */
const MAX_ENDED = 100;

export function createBackground(parts: BackgroundParts): Background {
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

function createJob(root: string, { run, newId, clock, logger }: BackgroundParts, onEnd: () => void): Job {
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
