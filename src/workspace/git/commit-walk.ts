/** Commits in the order of time, newest first, and which of them are new since some others. */
import type { GitObjectBytes } from './objects.ts';

export interface LoggedCommit {
  readonly hash: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly seconds: number;
  /** The first line of its message, cut where it is long. */
  readonly subject: string;
}

const MOST_PARENTS = 64;
const MOST_HEAD_BYTES = 64 * 1024;
const MOST_SUBJECT_BYTES = 400;
const HASH = /^[0-9a-f]{40}$/;

export interface CommitReader {
  read(hash: string): LoggedCommit | undefined;
  /** The top folder of a commit; those that were read before are not read again. */
  treeOf(hash: string): string | undefined;
}

export function createCommitReader(objects: GitObjectBytes): CommitReader {
  const trees = new Map<string, string>();
  const read: CommitReader['read'] = (hash) => {
    const commit = readLoggedCommit(objects, hash);
    if (commit !== undefined) trees.set(hash, commit.tree);
    return commit;
  };
  return { read, treeOf: (hash) => trees.get(hash) ?? read(hash)?.tree };
}

/** Undefined for what is no commit as git writes it. */
function readLoggedCommit(objects: GitObjectBytes, hash: string): LoggedCommit | undefined {
  const bytes = objects.read(hash, 'commit');
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf('\n\n');
  const head = bytes.toString('latin1', 0, Math.min(end === -1 ? bytes.length : end, MOST_HEAD_BYTES));
  const tree = head.slice(5, 45);
  if (!head.startsWith('tree ') || !HASH.test(tree)) return undefined;
  const parents: string[] = [];
  for (let at = 46; head.startsWith('parent ', at) && parents.length < MOST_PARENTS; at += 48) {
    const parent = head.slice(at + 7, at + 47);
    if (!HASH.test(parent)) return undefined;
    parents.push(parent);
  }
  const from = end === -1 ? bytes.length : end + 2;
  const line = bytes.subarray(from, from + MOST_SUBJECT_BYTES);
  const cut = line.indexOf(0x0a);
  return {
    hash,
    tree,
    parents,
    seconds: secondsOf(head),
    subject: line.toString('utf8', 0, cut === -1 ? line.length : cut),
  };
}

function secondsOf(head: string): number {
  const at = head.indexOf('\ncommitter ');
  const end = at === -1 ? -1 : head.indexOf('\n', at + 1);
  const line = at === -1 ? '' : head.slice(at + 1, end === -1 ? undefined : end);
  return Number(/> (\d{1,12}) /.exec(line)?.[1] ?? 0);
}

/** Reached from the commit that is asked about; reached from one that is known. */
const NEW = 1;
const KNOWN = 2;
/** Clocks of committers differ: so many more are looked at when all that is left is known. */
const SLOP = 8;

export interface NewCommits {
  /** Newest first. */
  readonly commits: Iterable<LoggedCommit>;
  /** Of the known ones: those that are not in this history. */
  readonly left: readonly string[];
  /** How many commits are theirs alone. */
  readonly leftCommits: number;
  /** A known commit is not here any more, or none of them has anything in common with this history. */
  readonly isBroken: boolean;
}

/** Every commit that can be reached, until there is one that is not here. */
export function* walkCommits(
  commits: CommitReader,
  head: string,
  mostCommits: number,
): Generator<LoggedCommit> {
  const seen = new Set([head]);
  const queue = new CommitQueue();
  const reach = (hash: string): void => {
    const commit = commits.read(hash);
    if (commit !== undefined) queue.push(commit);
  };
  reach(head);
  for (let count = 0; count < mostCommits; count++) {
    const commit = queue.pop();
    if (commit === undefined) return;
    for (const parent of commit.parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      reach(parent);
    }
    yield commit;
  }
}

/** The commits of `head` that none of `known` has. */
export function findNewCommits(
  commits: CommitReader,
  head: string,
  known: readonly string[],
  mostCommits: number,
): NewCommits {
  const flags = new Map<string, number>();
  const records = new Map<string, LoggedCommit>();
  const queue = new CommitQueue();
  const waiting = new Set<string>();
  let fresh = 0;
  const mark = (hash: string, flag: number): boolean => {
    const before = flags.get(hash) ?? 0;
    const after = before | flag;
    if (after === before) return true;
    flags.set(hash, after);
    const isWaiting = waiting.has(hash);
    if (isWaiting && before === NEW) fresh -= 1;
    if (isWaiting) return true;
    const commit = records.get(hash) ?? commits.read(hash);
    if (commit === undefined) return false;
    records.set(hash, commit);
    waiting.add(hash);
    if (after === NEW) fresh += 1;
    queue.push(commit);
    return true;
  };
  const areHere = known.map((hash) => mark(hash, KNOWN)).every(Boolean);
  mark(head, NEW);
  const order: LoggedCommit[] = [];
  for (let slop = SLOP, looked = 0; fresh > 0 || slop > 0; looked++) {
    const commit = looked < mostCommits ? queue.pop() : undefined;
    if (commit === undefined) break;
    if (fresh === 0) slop -= 1;
    waiting.delete(commit.hash);
    const flag = flags.get(commit.hash) ?? 0;
    if (flag === NEW) fresh -= 1;
    order.push(commit);
    for (const parent of commit.parents) mark(parent, flag);
  }
  const flagOf = ({ hash }: LoggedCommit): number => flags.get(hash) ?? 0;
  const distinct = new Set(order);
  return {
    commits: [...distinct].filter((commit) => flagOf(commit) === NEW),
    left: known.filter((hash) => flags.get(hash) === KNOWN),
    leftCommits: [...distinct].filter((commit) => flagOf(commit) === KNOWN).length,
    isBroken: !areHere || ![...flags.values()].includes(NEW | KNOWN),
  };
}

/** A heap: the newest first. */
class CommitQueue {
  private readonly heap: LoggedCommit[] = [];

  push(commit: LoggedCommit): void {
    const { heap } = this;
    let at = heap.push(commit) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (other === undefined || other.seconds >= commit.seconds) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = commit;
  }

  pop(): LoggedCommit | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left === undefined) break;
      let larger = left;
      if (right !== undefined && right.seconds > left.seconds) [larger, below] = [right, below + 1];
      if (larger.seconds <= last.seconds) break;
      heap[at] = larger;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
