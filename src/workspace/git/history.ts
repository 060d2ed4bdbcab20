/** What commits say: where two histories part, and which content each file had. */
import type { Clock } from '../../core/index.ts';
import { openGitObjects, type GitObjects, type GitTreeEntry } from './objects.ts';

/** Beyond, looking would take longer than a search may. */
const MOST_COMMITS = 20_000;
const BOTH = 3;

interface Waiting {
  readonly hash: string;
  readonly seconds: number;
  readonly parents: readonly string[];
}

/** The newest commit that is in both histories. Undefined if there is none, or none among the newest commits, or a commit on the way is not here. */
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

/** Whether all that is in one commit is in the other. False where it cannot be told: a commit that is not here, or too many between. */
export function isAncestor(commonDir: string, ancestor: string, commit: string, clock: Clock): boolean {
  if (ancestor === commit) return true;
  const objects = openGitObjects(commonDir, clock);
  try {
    return findMergeBase(objects, ancestor, commit) === ancestor;
  } finally {
    objects.close();
  }
}

/** Before those of the same second: first in, first out. */
function placeFor(seconds: number, queue: readonly Waiting[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.seconds ?? 0) < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface CommittedFiles {
  /** The digest of its content; undefined if there was no such file. */
  blobOf(path: string): string | undefined;
  /** A folder could not be read, so that its files are unknown. */
  isIncomplete(): boolean;
}

type Folder = ReadonlyMap<string, GitTreeEntry>;

/** The files of a commit. Only folders that are asked about are read. */
export function readCommittedFiles(objects: GitObjects, tree: string): CommittedFiles {
  const folders = new Map<string, Folder>();
  const none: Folder = new Map();
  let isIncomplete = false;
  const open = (hash: string): Folder => {
    const read = objects.tree(hash);
    if (read === undefined) isIncomplete = true;
    return read ?? none;
  };
  const entryOf = (path: string): GitTreeEntry | undefined => {
    let folder = folders.get('') ?? keep('', tree);
    for (let from = 0; ;) {
      const cut = path.indexOf('/', from);
      const entry = folder.get(path.slice(from, cut === -1 ? undefined : cut));
      if (cut === -1 || entry?.isFolder !== true) return cut === -1 ? entry : undefined;
      const above = path.slice(0, cut);
      folder = folders.get(above) ?? keep(above, entry.hash);
      from = cut + 1;
    }
  };
  const keep = (path: string, hash: string): Folder => {
    const folder = open(hash);
    folders.set(path, folder);
    return folder;
  };
  return {
    blobOf(path) {
      const entry = entryOf(path);
      return entry?.isFolder === false ? entry.hash : undefined;
    },
    isIncomplete: () => isIncomplete,
  };
}
