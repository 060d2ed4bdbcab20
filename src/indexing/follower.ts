/**
 * Keeps one project's index at its files: none ─follow→ waiting ─lock→ leading ─stop→ none.
 *
 * Of all processes that follow a project one leads: it holds the follower's lock, watches the files (or polls where that is
 * impossible) and indexes what changes. The others wait for the lock, which dies with its holder, and compare and index only when
 * they are asked. `createFollowing` holds the followers of this process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { nextTurn, type Logger } from '../core/index.ts';
import type { StoreLock } from '../storage/index.ts';
import {
  isGitBusy,
  isNetworkFolder,
  openFolderWatch,
  type FolderWatch,
  type KnownFiles,
} from '../workspace/index.ts';
import { type IdleQueue } from './idle-queue.ts';
import { createChangeDebouncer, createTimers } from './debounce.ts';
import type { IndexProgress } from './reconcile.ts';
import { trackProject, type TrackedParts, type UpdateOutcome } from './tracked-project.ts';

export interface FollowerParts extends TrackedParts {
  /** Held for as long as a process leads; undefined if another one does. */
  readonly tryFollow: (root: string) => Promise<StoreLock | undefined>;
  readonly openWatch?: typeof openFolderWatch;
  /** Woken when the leader's index matches the files. */
  readonly later?: readonly Pick<IdleQueue, 'wake'>[];
  readonly logger: Logger;
}

export interface Follower {
  check(): Promise<FreshState>;
  /** Waits until the index matches the files, at most this long. */
  catchUp(withinMs: number): Promise<FreshState>;
  follow(): void;
  /** The files as the watch keeps them; undefined where this process does not watch them, or not all is known. */
  knownFiles(): Promise<KnownFiles | undefined>;
  stop(): Promise<void>;
  status(): FollowStatus;
}

/** How the index stands beside the files. */
export type FreshState =
  | { readonly kind: 'fresh' }
  /** This process is indexing what changed. `total` is 0 until it is known. */
  | { readonly kind: 'updating'; readonly done: number; readonly total: number }
  /** Files came, went or changed since they were indexed. */
  | {
      readonly kind: 'changed';
      readonly count: number;
      /** Some of them. */
      readonly paths: readonly string[];
    }
  /** There are more files than are tracked, or looking failed. */
  | { readonly kind: 'unknown'; readonly why: 'too_many_files' | 'look_failed' };

export interface FollowStatus {
  readonly role: State['kind'];
  /** How a leader learns of changes. */
  readonly by: 'events' | 'looking' | undefined;
  /** How often it indexed something. */
  readonly passes: number;
}

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  /** Without a watch it polls. */
  | { readonly kind: 'leading'; readonly lock: StoreLock; readonly watch: FolderWatch | undefined };

const MOST_PATHS_SHOWN = 20;
const TAKE_OVER_EVERY_MS = 500;
/** Following begins with a look at everything; the first call gets its answer before that. */
const FOLLOW_AFTER_MS = 300;
const RETRY_BUSY_MS = 50;
const LONGEST_RETRY_MS = 30_000;
/** Polling may cost this share of the time at most. */
const SHARE_OF_TIME = 0.01;
const POLL_EVERY_MS = { least: 1_000, most: 15_000 } as const;
/** Polling beside events, for what they cannot tell: changes through a second name of a file, or through mapped memory. */
const POLL_BESIDE_EVENTS_MS = 30_000;
/** When to read files again that were read right after they were written: after the step of fine clocks, and of coarse ones. */
const SETTLE_MS = [60, 2_100] as const;
const NONE: ReadonlySet<string> = new Set();

export function createFollower(root: string, parts: FollowerParts): Follower {
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const project = trackProject(root, parts);
  const timers = createTimers();
  const changes = createChangeDebouncer({ clock, onQuiet: kick, isBusy: () => isGitBusy(root) });
  let state: State = { kind: 'none' };
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  /** What the running pass looks at; undefined: everything. */
  let lookedAt: ReadonlySet<string> | undefined;
  let progress: IndexProgress | undefined;
  const counts = { passes: 0, failures: 0, settleSteps: 0 };

  const watch = (): FolderWatch | undefined => (state.kind === 'leading' ? state.watch : undefined);

  /** Runs passes until nothing is left to do; during a pass, asks for one more. */
  function kick(): void {
    if (running !== undefined) isAskedAgain = true;
    else running = runPasses().finally(() => (running = undefined));
  }

  async function runPasses(): Promise<void> {
    do {
      isAskedAgain = false;
      const paths = changes.take();
      lookedAt = paths;
      // A file that is written to again and again settles a moment after the last write.
      if (paths === undefined || paths.size > 0) counts.settleSteps = 0;
      try {
        const outcome = await update(paths);
        counts.failures = 0;
        if (outcome.kind === 'busy') timers.after('busy', RETRY_BUSY_MS, kick);
        else {
          if (outcome.files > 0) counts.passes += 1;
          settle(outcome.unsettled);
          for (const queue of parts.later ?? []) queue.wake(root);
        }
      } catch (cause) {
        if (signal.aborted) return;
        fail(cause);
      }
    } while (isAskedAgain && !signal.aborted);
    if (!signal.aborted) pollLater();
  }

  async function update(paths: ReadonlySet<string> | undefined): Promise<UpdateOutcome> {
    try {
      return await project.update({
        paths,
        watch,
        onProgress: (now) => (progress = now),
        signal,
      });
    } finally {
      progress = undefined;
    }
  }

  function fail(cause: unknown): void {
    if (counts.failures === 0)
      logger.warn('an index could not be brought up to date', { root, cause: String(cause) });
    counts.failures += 1;
    timers.after('retry', Math.min(LONGEST_RETRY_MS, 500 * 2 ** counts.failures), () =>
      changes.add(undefined),
    );
  }

  function settle(unsettled: readonly string[]): void {
    if (unsettled.length === 0) counts.settleSteps = 0;
    const ms = unsettled.length === 0 ? undefined : SETTLE_MS[counts.settleSteps];
    if (ms === undefined) return;
    counts.settleSteps += 1;
    timers.after('settle', ms, kick);
  }

  function pollLater(): void {
    if (timers.has('poll')) return;
    const affordable = project.lookMs / SHARE_OF_TIME;
    const ms =
      watch() === undefined
        ? Math.min(POLL_EVERY_MS.most, Math.max(POLL_EVERY_MS.least, affordable))
        : Math.max(POLL_BESIDE_EVENTS_MS, affordable);
    timers.after('poll', ms, () => changes.add(undefined));
  }

  async function tryToLead(): Promise<void> {
    if (signal.aborted) return;
    const lock = await parts.tryFollow(root).catch(() => undefined);
    // Stopped while it was tried.
    if (signal.aborted) return lock?.release();
    if (lock === undefined) {
      timers.after('lead', TAKE_OVER_EVERY_MS, () => void tryToLead());
      return;
    }
    if (isNetworkFolder(root)) {
      logger.info('files on a network are looked at every few seconds', { root });
      state = { kind: 'leading', lock, watch: undefined };
    } else state = { kind: 'leading', lock, watch: openWatch(lock) };
    lock.lost.addEventListener('abort', () => stepDown(lock), { once: true });
    changes.add(undefined);
    kick();
  }

  /** Another process may lead by now. What this one still has to write is refused, and written by the leader. */
  function stepDown(lock: StoreLock): void {
    if (state.kind !== 'leading' || state.lock !== lock || signal.aborted) return;
    watch()?.close();
    state = { kind: 'waiting' };
    logger.warn('the lock of an index was lost', { root });
    timers.after('lead', RETRY_BUSY_MS, () => void tryToLead());
  }

  function openWatch(lock: StoreLock): FolderWatch {
    const open = parts.openWatch ?? openFolderWatch;
    return open({
      root,
      onEvent: (event) => changes.add(event.kind === 'path' ? event.path : undefined),
      onFailure: (why) => {
        state = { kind: 'leading', lock, watch: undefined };
        logger.warn('files cannot be watched; they are looked at every few seconds instead', { root, why });
        timers.cancel('poll');
        changes.add(undefined);
      },
    });
  }

  /** Lets queued events arrive: one turn of the event loop to end this one, one to deliver them. */
  async function takeEvents(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await nextTurn();
  }

  async function knownFiles(): Promise<KnownFiles | undefined> {
    if (watch()?.isPrompt !== true || counts.failures > 0) return undefined;
    await takeEvents();
    const looked = running === undefined ? NONE : lookedAt;
    const { pending } = changes;
    const files = project.files();
    if (files === undefined || looked === undefined || pending === undefined) return undefined;
    return { files, unseen: new Set([...looked, ...pending]) };
  }

  async function check(): Promise<FreshState> {
    const isPrompt = watch()?.isPrompt === true;
    if (isPrompt) await takeEvents();
    const isComing = isPrompt && (changes.isPending || timers.has('busy'));
    if (isComing || running !== undefined)
      return { kind: 'updating', done: progress?.done ?? 0, total: progress?.total ?? 0 };
    const compared = await project.compare({ look: !isPrompt || counts.failures > 0, signal });
    if (compared.kind === 'too_many_files') return { kind: 'unknown', why: 'too_many_files' };
    const { paths } = compared;
    if (paths.length === 0) return { kind: 'fresh' };
    if (state.kind === 'leading') kick();
    return { kind: 'changed', count: paths.length, paths: paths.slice(0, MOST_PATHS_SHOWN) };
  }

  async function indexNow(): Promise<void> {
    if (state.kind === 'leading') {
      kick();
      await running;
      return;
    }
    // Without a leader this process indexes once; a leader does it in a moment.
    const lock = await parts.tryFollow(root);
    try {
      if (lock !== undefined) await update(new Set());
    } finally {
      await lock?.release();
    }
  }

  async function orUnknown<T>(work: () => Promise<T>): Promise<T | Extract<FreshState, { kind: 'unknown' }>> {
    try {
      return await work();
    } catch (cause) {
      logger.debug('a look at the files failed', { root, cause: String(cause) });
      return { kind: 'unknown', why: 'look_failed' };
    }
  }

  return {
    check: () => orUnknown(check),
    async catchUp(withinMs) {
      const endsAt = clock.elapsed() + withinMs;
      for (;;) {
        const fresh = await orUnknown(check);
        const left = endsAt - clock.elapsed();
        if (fresh.kind === 'fresh' || fresh.kind === 'unknown' || left <= 0) return fresh;
        await Promise.race([orUnknown(indexNow), delay(left, undefined, { ref: false })]);
        const rest = endsAt - clock.elapsed();
        if (rest > 0) await delay(Math.min(RETRY_BUSY_MS / 2, rest));
      }
    },
    follow() {
      if (state.kind !== 'none') return;
      state = { kind: 'waiting' };
      timers.after('lead', FOLLOW_AFTER_MS, () => void tryToLead());
    },
    knownFiles,
    async stop() {
      stopping.abort();
      changes.close();
      timers.cancelAll();
      watch()?.close();
      if (state.kind === 'leading') state = { ...state, watch: undefined };
      await running;
      await project.settled();
      if (state.kind === 'leading') await state.lock.release();
      state = { kind: 'none' };
    },
    status: () => ({
      role: state.kind,
      by: state.kind !== 'leading' ? undefined : state.watch === undefined ? 'looking' : 'events',
      passes: counts.passes,
    }),
  };
}

export interface FollowingParts extends FollowerParts {
  /** Whether projects are followed: only while a server runs, and not where the user has turned it off. */
  readonly mayFollow: () => boolean;
}

export interface Following {
  /** How the index stands beside the files right now. Nothing is indexed. */
  check(root: string): Promise<FreshState>;
  /** As `check`, but what changed is indexed first, or waited for while another process does, at most this long. */
  catchUp(root: string, withinMs: number): Promise<FreshState>;
  /** From now on the index of this project is kept at its files, by this process or by one that already does. */
  follow(root: string): void;
  /** A project's files as its watch keeps them; undefined where this process does not watch them, or not all is known. */
  knownFiles(root: string): Promise<KnownFiles | undefined>;
  stop(root: string): Promise<void>;
  status(root: string): FollowStatus | undefined;
  close(): Promise<void>;
}

export function createFollowing(parts: FollowingParts): Following {
  const followers = new Map<string, Follower>();

  function of(root: string): Follower {
    const known = followers.get(root) ?? createFollower(root, parts);
    followers.set(root, known);
    return known;
  }

  async function stop(root: string): Promise<void> {
    const known = followers.get(root);
    followers.delete(root);
    await known?.stop();
  }

  return {
    check: (root) => of(root).check(),
    catchUp: (root, withinMs) => of(root).catchUp(withinMs),
    follow(root) {
      if (parts.mayFollow()) of(root).follow();
    },
    knownFiles: async (root) => followers.get(root)?.knownFiles(),
    stop,
    status: (root) => followers.get(root)?.status(),
    async close() {
      await Promise.all([...followers.keys()].map(stop));
    },
  };
}
