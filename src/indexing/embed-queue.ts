/** The embedding passes of a server: when a project has come to rest, one project at a time; again later if the service fails. */
import { AppError, type Logger } from '../core/index.ts';
import type { EmbedPass } from './embed-pass.ts';

export interface EmbedQueue {
  /** The project's index is at its files. */
  wake(root: string): void;
  /** What the service said last, if it failed. */
  problem(): string | undefined;
  /** Until it is woken again. */
  stop(root: string): Promise<void>;
  close(): Promise<void>;
}

export interface EmbedQueueParts {
  readonly embed: EmbedPass;
  /** Whether the project's chunks may still be cut otherwise: what would be sent twice waits. */
  readonly isUnsettled: (root: string) => boolean;
  readonly logger: Logger;
}

const QUIET_MS = 1_000;
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 600_000;

export function createEmbedQueue({ embed, isUnsettled, logger }: EmbedQueueParts): EmbedQueue {
  const timers = new Map<string, NodeJS.Timeout>();
  const due = new Set<string>();
  /** What waits until the service is called again. */
  const held = new Set<string>();
  let running:
    | { readonly root: string; readonly stopping: AbortController; ended: Promise<void> }
    | undefined;
  let retryMs = FIRST_RETRY_MS;
  let problem: string | undefined;
  /** While the service is left alone, nobody calls it, whichever project it failed for. */
  let isWaiting = false;
  let rest: NodeJS.Timeout | undefined;
  let isOver = false;

  function next(): void {
    const [root] = due;
    if (running !== undefined || root === undefined) return;
    due.delete(root);
    const stopping = new AbortController();
    running = { root, stopping, ended: Promise.resolve() };
    running.ended = pass(root, stopping.signal).finally(() => {
      running = undefined;
      next();
    });
  }

  async function pass(root: string, signal: AbortSignal): Promise<void> {
    try {
      const { files, sent, ms } = await embed(root, { signal });
      [retryMs, problem] = [FIRST_RETRY_MS, undefined];
      if (files > 0) logger.info('files were embedded', { root, files, sent, ms });
    } catch (thrown) {
      if (!signal.aborted) fail(root, thrown);
    }
  }

  function fail(root: string, thrown: unknown): void {
    problem = thrown instanceof AppError ? thrown.message : 'Something went wrong inside Waymark.';
    const hint = thrown instanceof AppError ? thrown.hint : undefined;
    const isPassing = thrown instanceof AppError && thrown.code === 'encoder_unavailable';
    logger.warn('files could not be embedded', { root, reason: problem, hint, again: isPassing });
    isWaiting = true;
    for (const one of [root, ...due]) held.add(one);
    due.clear();
    // What was refused would be refused again, until somebody changes the settings.
    if (!isPassing) return;
    rest = setTimeout(callAgain, retryMs).unref();
    retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
  }

  function callAgain(): void {
    isWaiting = false;
    const roots = [...held];
    held.clear();
    roots.forEach(begin);
  }

  function begin(root: string): void {
    if (isWaiting) return void held.add(root);
    if (isUnsettled(root)) return arm(root, QUIET_MS);
    due.add(root);
    next();
  }

  function arm(root: string, ms: number): void {
    clearTimeout(timers.get(root));
    const timer = setTimeout(() => {
      timers.delete(root);
      begin(root);
    }, ms);
    // Embedding is no reason to stay alive.
    timers.set(root, timer.unref());
  }

  async function stop(root: string): Promise<void> {
    clearTimeout(timers.get(root));
    timers.delete(root);
    due.delete(root);
    held.delete(root);
    if (running?.root !== root) return;
    running.stopping.abort();
    await running.ended;
  }

  return {
    wake(root) {
      if (!isOver) arm(root, QUIET_MS);
    },
    problem: () => problem,
    stop,
    async close() {
      isOver = true;
      clearTimeout(rest);
      const roots = [...timers.keys(), ...due, ...(running === undefined ? [] : [running.root])];
      await Promise.all([...new Set(roots)].map(stop));
    },
  };
}
