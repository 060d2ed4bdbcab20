/** Small pieces of control flow: a value made once, what may stay in memory, and long work that shares its thread. */
import type { Clock } from './clock.ts';

/** A value that is made when it is first asked for and then kept, so that loading the program does not pay for it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What several caches may keep together: beyond it the one that was used least recently forgets all it has. */
export interface MemoryBudget {
  readonly bytes: number;
  /** It has so much now, and stays, however much that is. */
  use(cache: Forgetful, bytes: number): void;
  /** It has nothing any more. */
  drop(cache: Forgetful): void;
}

export interface Forgetful {
  forget(): void;
}

export function createMemoryBudget(bytes: number): MemoryBudget {
  const held = new Map<Forgetful, number>();
  let sum = 0;
  const drop = (cache: Forgetful): void => {
    sum -= held.get(cache) ?? 0;
    held.delete(cache);
  };
  return {
    bytes,
    use(cache, size) {
      drop(cache);
      held.set(cache, size);
      sum += size;
      for (const oldest of held.keys()) {
        if (sum <= bytes || oldest === cache) return;
        drop(oldest);
        oldest.forget();
      }
    },
    drop,
  };
}

export interface TimeSlice {
  isOver(): boolean;
  /** Lets everything that waits run, then begins the next slice. */
  yield(): Promise<void>;
}

/** A search beside a long index waits for a few of these, not for the index. */
const SLICE_MS = 10;

export function createTimeSlice({ elapsed }: Pick<Clock, 'elapsed'>, sliceMs = SLICE_MS): TimeSlice {
  let endsAt = elapsed() + sliceMs;
  return {
    isOver: () => elapsed() >= endsAt,
    async yield() {
      await nextTurn();
      endsAt = elapsed() + sliceMs;
    },
  };
}

/** One turn of the event loop: everything that waits has run when it resolves. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
