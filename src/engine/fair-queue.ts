/** Limits concurrency: clients are served round-robin, and work beyond the queue's limit is refused. */
import { AppError } from '../core/index.ts';

export interface FairQueueLimits {
  readonly atOnce: number;
  /** How much of one client's work may wait, and of all of them. */
  readonly waitingPerClient: number;
  readonly waiting: number;
}

export interface FairQueue {
  /** Runs `work` in its turn; `too_busy` where too much waits already. A signal that aborts takes it out of the queue. */
  run<T>(client: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

type Start = () => void;

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  /** Round-robin: the client whose turn is next comes first. */
  const waiting = new Map<string, Start[]>();
  let [running, count] = [0, 0];

  const add = (client: string, start: Start): void => {
    const own = waiting.get(client) ?? [];
    if (count >= limits.waiting || own.length >= limits.waitingPerClient) throw tooBusy();
    own.push(start);
    waiting.set(client, own);
    count += 1;
  };
  const remove = (client: string, start: Start): void => {
    const rest = (waiting.get(client) ?? []).filter((one) => one !== start);
    waiting.delete(client);
    // Behind the others: their turn comes first.
    if (rest.length > 0) waiting.set(client, rest);
    count -= 1;
  };
  const next = (): void => {
    const [first] = waiting;
    const start = first?.[1][0];
    if (first === undefined || start === undefined || running >= limits.atOnce) return;
    remove(first[0], start);
    start();
  };
  const turn = (client: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        remove(client, start);
        reject(signal.reason);
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      if (running < limits.atOnce) return start();
      add(client, start);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    async run(client, work, signal) {
      signal.throwIfAborted();
      await turn(client, signal);
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}

function tooBusy(): AppError {
  return new AppError('too_busy', 'Too many searches by regular expression are waiting.', {
    hint: 'Call again in a moment, and send fewer at a time; plain words and "exact text" are not limited.',
  });
}
