/** Gathers what changes in quick succession, so that a burst (a branch switch, a rebase, a save of many files) is one pass. */
import type { Clock } from '../core/index.ts';

export interface Burst {
  /** Undefined: somewhere. */
  add(path: string | undefined): void;
  /** Whether something was added and not yet taken. */
  readonly isPending: boolean;
  /** All that was added; `paths` is undefined if it could be anywhere. */
  take(): { readonly paths: ReadonlySet<string> | undefined };
  close(): void;
}

export interface BurstOptions {
  readonly clock: Clock;
  /** Called when it has been quiet for a while. */
  readonly onQuiet: () => void;
  /** Whether more is sure to come. */
  readonly isBusy: () => boolean;
}

/** A save is a handful of events within a few milliseconds. */
const QUIET_MS = 30;
/** Once there are many, it is a program that works, and it may pause. */
const MANY = 20;
const QUIET_AFTER_MANY_MS = 150;
/** Something that never rests is looked at now and then. */
const LONGEST_MS = 2_000;
const LONGEST_BUSY_MS = 15_000;
/**
 * Above these, looking everywhere costs less than looking at each. It also covers the kernel's queue: when that overflows
 * events are lost, but only after far more of them (16,384 by default) were told.
 */
const MOST_PATHS = 1_000;
const MOST_EVENTS = 4_000;

export function createBurst({ clock, onQuiet, isBusy }: BurstOptions): Burst {
  let paths = new Set<string>();
  let isAnywhere = false;
  let events = 0;
  let firstAt = 0;
  let lastAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function arm(ms: number): void {
    timer = setTimeout(look, ms);
    timer.unref();
  }

  /** Runs when it may be quiet: one timer at a time, however many events there are. */
  function look(): void {
    timer = undefined;
    // It was taken meanwhile.
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
      const taken = { paths: isAnywhere ? undefined : paths };
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
