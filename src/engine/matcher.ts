/** Runs the regular expressions of clients in threads that can be stopped: few at once, clients in turn, `too_busy` beyond. */
import { AppError } from '../core/index.ts';
import { coreCount, packageFile, startThread, type Thread } from '../platform/index.ts';
import type { MatchedFile, MatchFiles, MatchFilesInput, MatchOutcome } from '../search/index.ts';
import { createFairQueue } from './fair-queue.ts';
import type { FromMatcher, MatchJob } from './matcher-main.ts';

export interface MatcherOptions {
  /** How long matching may take, for each 16 million characters. */
  readonly matchMs?: number;
  readonly waitingPerClient?: number;
  readonly waiting?: number;
}

export interface Matcher {
  readonly matchFiles: MatchFiles;
  close(): void;
}

const MATCH_MS = 2_000;
/** A new thread compiles its module first, on a busy machine slowly; that is not the expression's fault. */
const START_MS = 10_000;
const GRACE_MS = 100;
const WAITING_PER_CLIENT = 16;
const WAITING = 64;
const HEAP_MB = 256;
const MOST_THREADS = 2;
/** A thread that has nothing to do for so long ends: it takes some 60 MB. */
const IDLE_MS = 10_000;
/** Of a client that does not say who it is: a command, which has the engine to itself. */
const ONLY_CLIENT = '';

interface Idle {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

interface Worker {
  readonly thread: Thread;
  /** What is done with its messages and its end: another thing for each job. */
  listener: { onMessage(message: FromMatcher): void; onEnd(): void };
}

export function createMatcher(options: MatcherOptions = {}): Matcher {
  const { matchMs = MATCH_MS, waitingPerClient = WAITING_PER_CLIENT, waiting = WAITING } = options;
  const atOnce = Math.max(1, Math.min(MOST_THREADS, coreCount() - 1));
  const queue = createFairQueue({ atOnce, waitingPerClient, waiting });
  const idle: Idle[] = [];
  const working = new Set<Worker>();

  const take = (): Worker => {
    const kept = idle.pop();
    clearTimeout(kept?.timer);
    const worker = kept?.worker ?? start();
    working.add(worker);
    return worker;
  };
  const giveBack = (worker: Worker): void => {
    working.delete(worker);
    worker.listener = { onMessage() {}, onEnd: () => drop(worker) };
    const timer = setTimeout(() => {
      worker.thread.stop();
      drop(worker);
    }, IDLE_MS);
    idle.push({ worker, timer: timer.unref() });
  };
  const drop = (worker: Worker): void => {
    working.delete(worker);
    const at = idle.findIndex((one) => one.worker === worker);
    if (at !== -1) idle.splice(at, 1);
  };

  let isClosed = false;

  const run = (input: MatchFilesInput, signal: AbortSignal): Promise<MatchOutcome> => {
    if (isClosed) return Promise.reject(new AppError('interrupted', 'Waymark is ending.'));
    const worker = take();
    const found: MatchedFile[] = [];
    return new Promise((resolve, reject) => {
      const stop = (finish: () => void): void => {
        leave();
        worker.thread.stop();
        drop(worker);
        finish();
      };
      const tooSlow = (): void => stop(() => resolve({ found, why: 'slow' }));
      const onAbort = (): void => stop(() => reject(signal.reason));
      // This thread may have been blocked itself: messages that wait have a chance to arrive first.
      const late = (): void => void (timer = setTimeout(tooSlow, GRACE_MS));
      let timer = setTimeout(late, START_MS);
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      worker.listener = {
        onMessage(message) {
          found.push(...message.found);
          clearTimeout(timer);
          if (message.kind === 'alive') {
            timer = setTimeout(late, matchMs);
            return;
          }
          leave();
          giveBack(worker);
          resolve({ found, why: message.why });
        },
        // Out of memory, most likely: no more can be said than that it was too much.
        onEnd: tooSlow,
      };
      worker.thread.send({ ...input, matchMs } satisfies MatchJob);
    });
  };

  return {
    matchFiles: (input, { signal, client = ONLY_CLIENT }) =>
      queue.run(client, () => run(input, signal), signal),
    close() {
      isClosed = true;
      for (const { worker, timer } of idle) {
        clearTimeout(timer);
        worker.thread.stop();
      }
      for (const { thread } of working) thread.stop();
    },
  };
}

function start(): Worker {
  const worker: Worker = {
    listener: { onMessage() {}, onEnd() {} },
    thread: startThread({
      absModulePath: packageFile('dist/match-worker.js'),
      data: undefined,
      heapMb: HEAP_MB,
      // Both sides are of one build.
      onMessage: (message) => worker.listener.onMessage(message as FromMatcher),
      onEnd: () => worker.listener.onEnd(),
    }),
  };
  return worker;
}
