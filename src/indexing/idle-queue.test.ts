import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../core/index.ts';
import { systemClock } from '../platform/index.ts';
import { silentLogger } from '../text/index.ts';
import { createEmbedTask, type EmbedOutcome, type EmbedPass } from './embed-pass.ts';
import { createIdleQueue, type IdleQueue } from './idle-queue.ts';

const DONE: EmbedOutcome = { files: 1, sent: 1, ms: 1 };
const gone = (): AppError => new AppError('encoder_unavailable', 'The service is gone.');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Opened {
  readonly queue: IdleQueue;
  readonly problem: () => string | undefined;
  readonly passes: string[];
  /** What the next passes come to; done if nothing is said. */
  readonly outcomes: (AppError | 'hang')[];
  busy: boolean;
}

function open(): Opened {
  const passes: string[] = [];
  const outcomes: (AppError | 'hang')[] = [];
  const embed: EmbedPass = async (root, { signal }) => {
    passes.push(root);
    const outcome = outcomes.shift();
    if (outcome === undefined) return DONE;
    if (outcome !== 'hang') throw outcome;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  };
  const task = createEmbedTask({ embed, isUnsettled: () => opened.busy, logger: silentLogger });
  const queue = createIdleQueue(task, systemClock);
  const opened: Opened = { passes, outcomes, busy: false, queue, problem: task.problem };
  return opened;
}

const after = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('a project is embedded once it has been quiet, one after the other', async () => {
  const { queue, passes } = open();

  queue.wake('/a');
  queue.wake('/b');
  await after(600);
  queue.wake('/a');
  await after(600);
  const early = [...passes];
  await after(600);

  expect(early).toEqual(['/b']);
  expect(passes).toEqual(['/b', '/a']);
});

test('what the exact pass may still cut otherwise is not sent yet', async () => {
  const opened = open();
  opened.busy = true;

  opened.queue.wake('/a');
  await after(10_000);
  const early = [...opened.passes];
  opened.busy = false;
  await after(1_000);

  expect(early).toEqual([]);
  expect(opened.passes).toEqual(['/a']);
});

test('a service that is gone is tried again later and later, and not for every file that changes', async () => {
  const { queue, passes, outcomes, problem } = open();
  outcomes.push(gone(), gone());

  queue.wake('/a');
  await after(1_000);
  const said = problem();
  queue.wake('/a');
  await after(9_000);
  const waiting = passes.length;
  await after(1_000);
  const second = passes.length;
  await after(20_000);
  const third = passes.length;
  queue.wake('/a');
  await after(1_000);

  expect(said).toBe('The service is gone.');
  expect([waiting, second, third]).toEqual([1, 2, 3]);
  expect(problem()).toBeUndefined();
  expect(passes).toHaveLength(4);
});

test('a project that was stopped while the service was gone is embedded again, and so is one that came meanwhile', async () => {
  const { queue, passes, outcomes, problem } = open();
  outcomes.push(gone());

  queue.wake('/a');
  await after(1_000);
  await queue.stop('/a');
  queue.wake('/a');
  queue.wake('/b');
  await after(8_000);
  const waiting = [...passes];
  await after(2_000);

  expect(waiting).toEqual(['/a']);
  expect(passes).toEqual(['/a', '/a', '/b']);
  expect(problem()).toBeUndefined();
});

test('what was refused is not sent again', async () => {
  const { queue, passes, outcomes, problem } = open();
  outcomes.push(new AppError('encoder_refused', 'The key is wrong.'));

  queue.wake('/a');
  await after(1_000);
  queue.wake('/a');
  await after(3_600_000);

  expect(passes).toEqual(['/a']);
  expect(problem()).toBe('The key is wrong.');
});

test('stopping and closing end what runs, and nothing begins afterwards', async () => {
  const { queue, passes, outcomes, problem } = open();
  outcomes.push('hang', 'hang');

  queue.wake('/a');
  await after(1_000);
  await queue.stop('/a');
  queue.wake('/a');
  queue.wake('/b');
  await after(1_000);
  await queue.close();
  queue.wake('/a');
  await after(60_000);

  expect(passes).toEqual(['/a', '/a']);
  expect(problem()).toBeUndefined();
});
