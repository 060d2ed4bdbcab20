/** How long work shares its thread: it asks now and then whether its slice is over, and lets other calls go first. */
import type { Clock } from './clock.ts';

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
