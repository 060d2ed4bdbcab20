/**
 * Keeps one project's index at its files. Of all processes that follow a project one leads: it holds the follower's lock,
 * watches (or, where that is impossible, looks every few seconds) and indexes. The others wait for the lock, which dies with
 * its holder, and meanwhile compare files and index when they are asked.
 */
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../core/index.ts';
import { isGitBusy, isNetworkFolder, type FolderWatch, type openFolderWatch } from '../workspace/index.ts';
import type { WriterLock } from '../storage/index.ts';
import { createBurst } from './burst.ts';
import type { FreshState } from './fresh-state.ts';
import type { IndexProgress } from './indexer.ts';
import { runPass, type PassOutcome } from './passes.ts';
import { trackProject, type TrackedParts, type TrackedProject } from './tracked-project.ts';

export interface FollowerParts extends TrackedParts {
  readonly tryLock: () => Promise<WriterLock | undefined>;
  readonly tryFollow: () => Promise<WriterLock | undefined>;
  readonly runAll: (signal: AbortSignal) => Promise<unknown>;
  readonly openWatch: typeof openFolderWatch;
  /** The leader's index is at the files. */
  readonly onCaughtUp: () => void;
  readonly logger: Logger;
}

export interface ProjectFollower {
  check(): Promise<FreshState>;
  /** Waits until the index is at the files, at most this long. */
  catchUp(withinMs: number): Promise<FreshState>;
  follow(): void;
  stop(): Promise<void>;
  status(): FollowStatus;
}

export interface FollowStatus {
  readonly role: 'none' | 'waiting' | 'leading';
  /** How a leader learns of changes. */
  readonly by: 'events' | 'looking' | undefined;
  /** How often it indexed something. */
  readonly passes: number;
}

const MOST_PATHS_SHOWN = 20;
const TAKE_OVER_EVERY_MS = 500;
/** Following begins with a look at everything: whoever asked first has the answer before that. */
const FOLLOW_AFTER_MS = 300;
const RETRY_BUSY_MS = 50;
const LONGEST_RETRY_MS = 30_000;
/** A look may cost this share of the time at most. */
const SHARE_OF_TIME = 0.01;
const LOOK_EVERY_MS = { least: 1_000, most: 15_000 } as const;
/** With events, for what they cannot tell: changes through a second name of a file, or through mapped memory. */
const LOOK_BESIDE_EVENTS_MS = 30_000;
/** Files that were read right after they were written: after the step of fine clocks, and of coarse ones. */
const SETTLE_MS = [60, 2_100] as const;

export function createProjectFollower(parts: FollowerParts): ProjectFollower {
  const { root, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const timers = new Map<string, NodeJS.Timeout>();
  let tracked: TrackedProject | undefined;
  let role: FollowStatus['role'] = 'none';
  let lead: WriterLock | undefined;
  let watch: FolderWatch | undefined;
  let progress: IndexProgress | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let passes = 0;
  let failures = 0;
  let settleStep = 0;
  let lookMs = 0;
  const burst = createBurst({ clock, onQuiet: kick, isBusy: () => isGitBusy(root) });

  /** What uses the tracked project goes one after the other. */
  function inTurn<T>(work: (project: TrackedProject) => Promise<T>): Promise<T> {
    const result = last.then(async () => {
      tracked ??= trackProject(parts);
      return work(tracked);
    });
    last = result.catch(() => {});
    return result;
  }

  function after(name: string, ms: number, work: () => void): void {
    clearTimeout(timers.get(name));
    // Following is no reason to stay alive.
    const timer = setTimeout(() => {
      timers.delete(name);
      work();
    }, ms);
    timers.set(name, timer.unref());
  }

  function pass(paths: ReadonlySet<string> | undefined): Promise<PassOutcome> {
    return inTurn(async (project) => {
      const { tryLock, runAll } = parts;
      try {
        return await runPass(
          { tracked: project, tryLock, runAll, signal },
          {
            paths,
            watch: () => watch?.follow(project.listing.folders()) ?? [],
            onProgress: (now) => (progress = now),
          },
        );
      } finally {
        progress = undefined;
        lookMs = project.lookMs;
      }
    });
  }

  function kick(): void {
    if (running !== undefined) {
      isAskedAgain = true;
      return;
    }
    running = runPasses().finally(() => (running = undefined));
  }

  async function runPasses(): Promise<void> {
    do {
      isAskedAgain = false;
      const { paths } = burst.take();
      // What is written to again and again settles a moment after the last time.
      if (paths === undefined || paths.size > 0) settleStep = 0;
      try {
        const outcome = await pass(paths);
        failures = 0;
        if (outcome.kind === 'busy') after('busy', RETRY_BUSY_MS, kick);
        else {
          if (outcome.files > 0) passes += 1;
          settle(outcome.unsettled);
          parts.onCaughtUp();
        }
      } catch (cause) {
        if (signal.aborted) return;
        fail(cause);
      }
    } while (isAskedAgain && !signal.aborted);
    if (!signal.aborted) lookAgainLater();
  }

  function fail(cause: unknown): void {
    if (failures === 0)
      logger.warn('an index could not be brought up to date', { root, cause: String(cause) });
    failures += 1;
    after('retry', Math.min(LONGEST_RETRY_MS, 500 * 2 ** failures), () => burst.add(undefined));
  }

  function settle(unsettled: readonly string[]): void {
    if (unsettled.length === 0) settleStep = 0;
    const ms = unsettled.length === 0 ? undefined : SETTLE_MS[settleStep];
    if (ms === undefined) return;
    settleStep += 1;
    after('settle', ms, kick);
  }

  function lookAgainLater(): void {
    const asNeeded = Math.min(LOOK_EVERY_MS.most, Math.max(LOOK_EVERY_MS.least, lookMs / SHARE_OF_TIME));
    const ms = watch === undefined ? asNeeded : Math.max(LOOK_BESIDE_EVENTS_MS, lookMs / SHARE_OF_TIME);
    if (timers.has('look')) return;
    after('look', ms, () => burst.add(undefined));
  }

  async function tryToLead(): Promise<void> {
    if (signal.aborted) return;
    const lock = await parts.tryFollow().catch(() => undefined);
    // Stopped while it was tried.
    if (signal.aborted) return lock?.release();
    if (lock === undefined) {
      role = 'waiting';
      return after('lead', TAKE_OVER_EVERY_MS, () => void tryToLead());
    }
    lead = lock;
    role = 'leading';
    if (isNetworkFolder(root)) logger.info('files on a network are looked at every few seconds', { root });
    else openWatch();
    burst.add(undefined);
    kick();
  }

  function openWatch(): void {
    watch = parts.openWatch({
      root,
      onEvent: (event) => burst.add(event.kind === 'path' ? event.path : undefined),
      onFailure: (why) => {
        watch = undefined;
        logger.warn('files cannot be watched; they are looked at every few seconds instead', { root, why });
        clearTimeout(timers.get('look'));
        timers.delete('look');
        burst.add(undefined);
      },
    });
  }

  async function check(): Promise<FreshState> {
    const isTold = watch?.isPrompt === true;
    // The loop hands over what the kernel has queued: once to end this turn of it, once to be told.
    if (isTold) for (let turn = 0; turn < 2; turn++) await setImmediate();
    const isComing = isTold && (burst.isPending || timers.has('busy'));
    if (isComing || running !== undefined)
      return { kind: 'updating', done: progress?.done ?? 0, total: progress?.total ?? 0 };
    return inTurn(async (project) => {
      if (!isTold || failures > 0) await project.look(undefined, signal);
      if (project.listing.isOverLimit()) return { kind: 'unknown', why: 'too_many_files' };
      const { plan } = await project.difference();
      const paths = [...plan.read, ...plan.gone].map(({ path }) => path);
      if (paths.length === 0) return { kind: 'fresh' };
      if (role === 'leading') kick();
      return { kind: 'changed', count: paths.length, paths: paths.slice(0, MOST_PATHS_SHOWN) };
    });
  }

  async function indexHere(): Promise<void> {
    if (role === 'leading') {
      kick();
      await running;
      return;
    }
    // If nobody leads, it is ours to do, once. Who leads does it in a moment.
    const lock = await parts.tryFollow();
    try {
      if (lock !== undefined) await pass(new Set());
    } finally {
      lock?.release();
    }
  }

  return {
    check: () => orUnknown(check),
    async catchUp(withinMs) {
      const endsAt = clock.elapsed() + withinMs;
      for (;;) {
        const state = await orUnknown(check);
        const left = endsAt - clock.elapsed();
        if (state.kind === 'fresh' || state.kind === 'unknown' || left <= 0) return state;
        await Promise.race([orUnknown(indexHere), delay(left, undefined, { ref: false })]);
        const rest = endsAt - clock.elapsed();
        if (rest > 0) await delay(Math.min(RETRY_BUSY_MS / 2, rest));
      }
    },
    follow() {
      if (role !== 'none') return;
      role = 'waiting';
      after('lead', FOLLOW_AFTER_MS, () => void tryToLead());
    },
    async stop() {
      stopping.abort();
      burst.close();
      for (const timer of timers.values()) clearTimeout(timer);
      watch?.close();
      watch = undefined;
      await running;
      await last;
      lead?.release();
      lead = undefined;
      role = 'none';
    },
    status: () => ({
      role,
      by: role !== 'leading' ? undefined : watch === undefined ? 'looking' : 'events',
      passes,
    }),
  };

  async function orUnknown<T>(work: () => Promise<T>): Promise<T | Extract<FreshState, { kind: 'unknown' }>> {
    try {
      return await work();
    } catch (cause) {
      logger.debug('a look at the files failed', { root, cause: String(cause) });
      return { kind: 'unknown', why: 'look_failed' };
    }
  }
}
