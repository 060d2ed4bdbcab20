/** Debouncing: timers by name that begin anew, and changed paths that are gathered until they pause. None keeps the process alive. */
import type { Clock } from '../core/index.ts';

export interface Timers {
  /** Runs `work` once, `ms` after the last call with this name (trailing debounce). */
  after(name: string, ms: number, work: () => void): void;
  has(name: string): boolean;
  names(): Iterable<string>;
  cancel(name: string): void;
  cancelAll(): void;
}

export function createTimers(): Timers {
  const timers = new Map<string, NodeJS.Timeout>();
  function cancel(name: string): void {
    clearTimeout(timers.get(name));
    timers.delete(name);
  }
  return {
    after(name, ms, work) {
      cancel(name);
      const timer = setTimeout(() => {
        timers.delete(name);
        work();
      }, ms);
      timers.set(name, timer.unref());
    },
    has: (name) => timers.has(name),
    names: () => timers.keys(),
    cancel,
    cancelAll: () => [...timers.keys()].forEach(cancel),
  };
}

/** Gathers changed paths, so that a branch switch, a rebase or a save of many files is one pass. */
export interface ChangeDebouncer {
  /** Undefined if the path is not known. */
  add(path: string | undefined): void;
  /** Whether something was added and not yet taken. */
  readonly isPending: boolean;
  /** What was added and not yet taken; undefined if it could be anywhere. */
  readonly pending: ReadonlySet<string> | undefined;
  /** All that was added; undefined if it could be anywhere. */
  take(): ReadonlySet<string> | undefined;
  close(): void;
}

export interface ChangeDebouncerOptions {
  readonly clock: Clock;
  /** Called when no change came for a while. */
  readonly onQuiet: () => void;
  /** Whether more changes are sure to come. */
  readonly isBusy: () => boolean;
}

/** A save is a handful of events within a few milliseconds. */
const QUIET_MS = 30;
/** Many events come from a program at work, which may pause. */
const MANY = 20;
const QUIET_AFTER_MANY_MS = 150;
/** Changes without a pause are handled after this. */
const LONGEST_MS = 2_000;
const LONGEST_BUSY_MS = 15_000;
/**
 * Above these, looking everywhere costs less than looking at each path. It also covers an overflow of the kernel's queue, which
 * loses events, but only after far more of them (16,384 by default).
 */
const MOST_PATHS = 1_000;
const MOST_EVENTS = 4_000;

export function createChangeDebouncer({ clock, onQuiet, isBusy }: ChangeDebouncerOptions): ChangeDebouncer {
  let paths = new Set<string>();
  let isAnywhere = false;
  let events = 0;
  let firstAt = 0;
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function arm(ms: number): void {
    timer = setTimeout(look, ms).unref();
  }

  /** Runs when it may be quiet. One timer at a time, however many events there are. */
  function look(): void {
    timer = undefined;
    // Taken meanwhile.
    if (events === 0) return;
    const now = clock.elapsed();
    const quietMs = events > MANY ? QUIET_AFTER_MANY_MS : QUIET_MS;
    const missing = quietMs - (now - lastAt);
    const since = now - firstAt;
    if (missing > 0 && since < LONGEST_MS) return arm(missing);
    if (since < LONGEST_BUSY_MS && isBusy()) return arm(QUIET_MS);
    onQuiet();
  }

  return {
    get isPending() {
      return events > 0;
    },
    get pending() {
      return isAnywhere ? undefined : paths;
    },
    add(path) {
      lastAt = clock.elapsed();
      if (events === 0) firstAt = lastAt;
      events += 1;
      if (path !== undefined) paths.add(path);
      isAnywhere ||= path === undefined || paths.size > MOST_PATHS || events > MOST_EVENTS;
      if (isAnywhere) paths.clear();
      if (timer === undefined) arm(QUIET_MS);
    },
    take() {
      const taken = isAnywhere ? undefined : paths;
      paths = new Set();
      isAnywhere = false;
      events = 0;
      return taken;
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
