import { expect, test } from 'vitest';
import { AppError } from '../core/index.ts';
import { silentLogger } from '../text/index.ts';
import { createJobs, waitFor } from './jobs.ts';
import type { IndexOptions, IndexOutcome } from './index-run.ts';

const DONE: IndexOutcome = {
  kind: 'done',
  indexed: 1,
  renamed: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  ms: 1,
};
const STEP = { done: 1, total: 4, doneBytes: 10, totalBytes: 40 };

interface Run {
  readonly options: IndexOptions;
  readonly finish: (how: IndexOutcome) => void;
  readonly fail: (error: Error) => void;
}

/** Runs that end when the test says so, or when they are told to stop. */
function open() {
  const runs: Run[] = [];
  let now = 0;
  let count = 0;
  const background = createJobs({
    run: (_root, options) =>
      new Promise((finish, fail) => {
        runs.push({ options, finish, fail });
        options.signal.addEventListener('abort', () => fail(new Error('told to stop')), { once: true });
      }),
    newId: () => `op-${++count}`,
    clock: { now: () => now, elapsed: () => now },
    logger: silentLogger,
  });
  const runAt = (index: number): Run => {
    const run = runs[index];
    if (run === undefined) throw new Error(`there is no run ${index}`);
    return run;
  };
  return { background, runs, runAt, pass: (ms: number) => (now += ms) };
}

test('there is one job per project, and everyone who comes meanwhile joins it', async () => {
  const { background, runs, runAt } = open();

  const first = background.start('/a');
  const joined = background.start('/a');
  background.start('/b');
  runAt(0).finish(DONE);
  await first.ended;

  expect(joined).toBe(first);
  expect(runs).toHaveLength(2);
  expect(background.running('/a')).toBeUndefined();
  expect(background.start('/a')).not.toBe(first);
  expect(background.find(first.id)).toBe(first);
});

test('a job stops when the last who held it lets go, and no sooner', async () => {
  const { background, runAt } = open();
  const job = background.start('/a');
  const [one, other] = [job.hold(), job.hold()];

  one();
  one();
  expect(runAt(0).options.signal.aborted).toBe(false);
  other();

  expect(await job.ended).toEqual({ kind: 'stopped' });
});

test('progress comes with percentage and time left, counted from when the work was known', () => {
  const { background, runAt, pass } = open();
  const job = background.start('/a');
  const heard: number[] = [];
  const leave = job.listen(({ done }) => heard.push(done));
  const onProgress = runAt(0).options.onProgress;

  pass(500);
  onProgress?.({ ...STEP, done: 0, doneBytes: 0 });
  pass(100);
  onProgress?.(STEP);
  leave();
  onProgress?.({ ...STEP, done: 2 });

  expect(heard).toEqual([0, 1]);
  expect(job.progress()).toMatchObject({ done: 2, total: 4, percent: 25, etaMs: 300 });
});

test('a failure is kept as what it was', async () => {
  const { background, runAt } = open();
  const job = background.start('/a');

  runAt(0).fail(new AppError('storage_unavailable', 'The disk is full.'));

  expect(await job.ended).toMatchObject({ kind: 'failed', error: { code: 'storage_unavailable' } });
  expect(job.end()).toMatchObject({ kind: 'failed' });
});

test('only so many ended jobs are kept; one that runs is never forgotten', async () => {
  const { background, runs } = open();
  const running = background.start('/runs');
  const ended = Array.from({ length: 150 }, (_, at) => background.start(`/${at}`));
  for (const { finish } of runs.slice(1)) finish(DONE);
  await Promise.all(ended.map((job) => job.ended));

  expect(background.find(running.id)).toBe(running);
  expect(ended.filter((job) => background.find(job.id) !== undefined)).toHaveLength(100);
  expect(background.find(ended.at(-1)?.id ?? '')).toBeDefined();
});

test('closing stops what runs, waits for it, and lets nothing new begin', async () => {
  const { background } = open();
  const job = background.start('/a');

  await background.close();

  expect(job.end()).toEqual({ kind: 'stopped' });
  expect(() => background.start('/b')).toThrow('shutting down');
});

test('waiting ends with the job, with the time-out, with work that is too much, or with the caller', async () => {
  const { background, runAt } = open();
  const signal = new AbortController().signal;
  const job = background.start('/a');

  expect(await waitFor(job, { signal, maxMs: 1 })).toBeUndefined();
  runAt(0).options.onProgress?.(STEP);
  expect(await waitFor(job, { signal, maxMs: 60_000, isWorth: () => false })).toBeUndefined();
  const cancel = new AbortController();
  const cancelled = waitFor(job, { signal: cancel.signal, maxMs: 60_000 });
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'interrupted' });
  const waiting = waitFor(job, { signal, maxMs: 60_000, isWorth: () => true });
  runAt(0).finish(DONE);
  expect(await waiting).toEqual(DONE);
});
