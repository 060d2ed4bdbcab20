/** Work that waits until a project has been quiet for a while: exact parsing, embedding. One project at a time. */
import type { Clock } from '../core/index.ts';
import { createTimers } from './debounce.ts';

export interface IdleQueue {
  /** The project's index matches its files: what may come later comes soon. */
  wake(root: string): void;
  /** A call is using the project: work that has not begun waits a little longer, though not for ever. */
  postpone(root: string): void;
  /** Whether work for the project waits or runs. */
  isBusy(root: string): boolean;
  /** Stops the project's work, until it is woken again. */
  stop(root: string): Promise<void>;
  close(): Promise<void>;
}

export interface IdleTask {
  /** Handles its own failures. What it throws when it is aborted is ignored. */
  run(root: string, signal: AbortSignal): Promise<IdleOutcome>;
  /** Whether the project has to wait for something else; asked again after a quiet period. */
  isBlocked?(root: string): boolean;
  /** The project was stopped: forgets what is known of it. */
  forget?(root: string): void;
}

export type IdleOutcome =
  | 'done'
  /** More may have come meanwhile: run again after a quiet period. */
  | 'again'
  /** Back off: run nothing for so long, for any project, then this one again. Infinity: until the process ends. */
  | { readonly restMs: number };

/** A saved file is often followed by the next one, and a new client asks before it rests. */
const QUIET_MS = 1_000;
/** Calls without a pause postpone the work no longer than this. */
const MOST_WAIT_MS = 5_000;
/** Names the timer of a back-off; all others have the root of a project, which is an absolute path. */
const REST = 'rest';

interface Running {
  readonly root: string;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

export function createIdleQueue(task: IdleTask, clock: Clock): IdleQueue {
  const timers = createTimers();
  const wokenAt = new Map<string, number>();
  const due = new Set<string>();
  /** What came due during a back-off. */
  const held = new Set<string>();
  let running: Running | undefined;
  let isResting = false;
  let isClosed = false;

  function wake(root: string): void {
    if (isClosed) return;
    wokenAt.set(root, clock.elapsed());
    arm(root);
  }

  function arm(root: string): void {
    timers.after(root, QUIET_MS, () => begin(root));
  }

  function begin(root: string): void {
    if (isResting) return void held.add(root);
    if (task.isBlocked?.(root) === true) return arm(root);
    due.add(root);
    next();
  }

  function next(): void {
    const [root] = due;
    if (running !== undefined || root === undefined) return;
    due.delete(root);
    const stopping = new AbortController();
    const ended = run(root, stopping.signal).finally(() => {
      running = undefined;
      next();
    });
    running = { root, stopping, ended };
  }

  async function run(root: string, signal: AbortSignal): Promise<void> {
    const outcome = await task.run(root, signal).catch((): IdleOutcome => 'done');
    if (signal.aborted || outcome === 'done') return;
    if (outcome === 'again') wake(root);
    else rest(root, outcome.restMs);
  }

  function rest(root: string, ms: number): void {
    isResting = true;
    for (const one of [root, ...due]) held.add(one);
    due.clear();
    if (ms !== Infinity) timers.after(REST, ms, resume);
  }

  function resume(): void {
    isResting = false;
    const roots = [...held];
    held.clear();
    roots.forEach(begin);
  }

  async function stop(root: string): Promise<void> {
    timers.cancel(root);
    wokenAt.delete(root);
    due.delete(root);
    held.delete(root);
    task.forget?.(root);
    if (running?.root !== root) return;
    running.stopping.abort();
    await running.ended;
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
      isClosed = true;
      timers.cancelAll();
      due.clear();
      if (running !== undefined) await stop(running.root);
    },
  };
}
