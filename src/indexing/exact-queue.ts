/** The exact passes of a server: a while after a project came to rest, one project at a time. */
import { AppError, type Clock, type Logger } from '../core/index.ts';
import type { ExactPass } from './exact-pass.ts';

export interface ExactQueue {
  /** The project's index is at its files: what is not parsed yet is parsed soon. */
  wake(root: string): void;
  /** Somebody is asking about the project: what has not begun waits until they are done, though not for ever. */
  postpone(root: string): void;
  /** Whether something of it waits or is being parsed. */
  isBusy(root: string): boolean;
  /** Until it is woken again. */
  stop(root: string): Promise<void>;
  close(): Promise<void>;
}

export interface ExactQueueParts {
  readonly parse: ExactPass;
  /** The number of the last commit to a project's index. */
  readonly generation: (root: string) => Promise<number>;
  /** Nothing is left to parse: the index stays as it is until files change. */
  readonly onSettled: (root: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whoever saves saves again, and whoever has just come asks first. */
const QUIET_MS = 1_000;
/** Whoever asks without a pause gets exact definitions all the same. */
const MOST_WAIT_MS = 5_000;

interface Running {
  readonly root: string;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

export function createExactQueue({
  parse,
  generation,
  onSettled,
  clock,
  logger,
}: ExactQueueParts): ExactQueue {
  const timers = new Map<string, NodeJS.Timeout>();
  const wokenAt = new Map<string, number>();
  const due = new Set<string>();
  /** The commit behind which nothing is left to parse. */
  const doneAt = new Map<string, number>();
  let running: Running | undefined;
  let isResting = false;

  function next(): void {
    const [root] = due;
    if (running !== undefined || root === undefined) return;
    due.delete(root);
    const stopping = new AbortController();
    const ended = pass(root, stopping.signal).finally(() => {
      running = undefined;
      next();
    });
    running = { root, stopping, ended };
  }

  async function pass(root: string, signal: AbortSignal): Promise<void> {
    try {
      const before = await generation(root);
      if (before === doneAt.get(root)) return;
      const { exact, failed, ms } = await parse(root, { signal });
      // Done is what was looked at and found complete; what came in meanwhile is looked at once more.
      if (exact + failed === 0) {
        doneAt.set(root, before);
        await onSettled(root);
        return;
      }
      logger.info('files were parsed exactly', { root, exact, failed, ms });
      wake(root);
    } catch (thrown) {
      if (signal.aborted) return;
      const reason = thrown instanceof Error ? thrown.message : 'unknown';
      // It would not start for the next file either.
      isResting ||= thrown instanceof AppError && thrown.code === 'parser_unavailable';
      logger.warn('files could not be parsed exactly', { root, reason, isResting });
    }
  }

  async function stop(root: string): Promise<void> {
    clearTimeout(timers.get(root));
    timers.delete(root);
    due.delete(root);
    doneAt.delete(root);
    wokenAt.delete(root);
    if (running?.root !== root) return;
    running.stopping.abort();
    await running.ended;
  }

  function wake(root: string): void {
    if (isResting) return;
    wokenAt.set(root, clock.elapsed());
    arm(root);
  }

  function arm(root: string): void {
    clearTimeout(timers.get(root));
    const timer = setTimeout(() => {
      timers.delete(root);
      due.add(root);
      next();
    }, QUIET_MS);
    // Parsing is no reason to stay alive.
    timers.set(root, timer.unref());
  }

  return {
    wake,
    postpone(root) {
      const isLate = clock.elapsed() - (wokenAt.get(root) ?? 0) > MOST_WAIT_MS;
      if (timers.has(root) && !isLate) arm(root);
    },
    isBusy: (root) => timers.has(root) || due.has(root) || running?.root === root,
    stop,
    async close() {
      isResting = true;
      const roots = [...timers.keys(), ...due, ...(running === undefined ? [] : [running.root])];
      await Promise.all([...new Set(roots)].map(stop));
    },
  };
}
