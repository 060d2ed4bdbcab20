/** Where two histories part: the newest commit that is in both. */
import type { GitObjects } from './objects.ts';

/** Beyond, looking would take longer than a search may. */
const MOST_COMMITS = 20_000;
const BOTH = 3;

interface Waiting {
  readonly hash: string;
  readonly seconds: number;
  readonly parents: readonly string[];
}

/** Undefined if there is none, or none among the newest commits, or a commit on the way is not here. */
export function findMergeBase(objects: GitObjects, one: string, other: string): string | undefined {
  /** Which of the two a commit was reached from. */
  const sides = new Map<string, number>();
  const queued = new Set<string>();
  /** Newest last. */
  const queue: Waiting[] = [];
  const reach = (hash: string, side: number): void => {
    const before = sides.get(hash) ?? 0;
    if ((before | side) === before) return;
    sides.set(hash, before | side);
    if (queued.has(hash)) return;
    const commit = objects.commit(hash);
    // The end of a shallow clone.
    if (commit === undefined) return;
    queued.add(hash);
    queue.splice(placeFor(commit.seconds, queue), 0, { hash, ...commit });
  };
  reach(one, 1);
  reach(other, 2);
  for (let looked = 0; looked < MOST_COMMITS; looked++) {
    const newest = queue.pop();
    if (newest === undefined) return undefined;
    queued.delete(newest.hash);
    const side = sides.get(newest.hash) ?? 0;
    if (side === BOTH) return newest.hash;
    for (const parent of newest.parents) reach(parent, side);
  }
  return undefined;
}

/** Before those of the same second: who came first is taken first. */
function placeFor(seconds: number, queue: readonly Waiting[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.seconds ?? 0) < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
