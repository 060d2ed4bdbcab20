/**
 * What happened to the files of a folder, commit by commit, newest first. A repository is not trusted: commits, time, bytes and
 * changes are limited, and what is missing or damaged is passed over.
 */
import type { Clock } from '../../core/index.ts';
import {
  createCommitReader,
  findNewCommits,
  walkCommits,
  type CommitReader,
  type LoggedCommit,
} from './commit-walk.ts';
import { openObjectBytes, type GitObjectBytes } from './objects.ts';
import { diffTrees, findTree, type ChangedPath } from './tree-diff.ts';

export interface FileHistoryInput {
  /** Canonical. */
  readonly commonDir: string;
  /** Where in the working tree the project lies, with forward slashes; empty if it is the whole tree. */
  readonly folder: string;
  readonly head: string;
  /** Commits up to which everything is known already. */
  readonly known: readonly string[];
  readonly clock: Clock;
  readonly limits?: Partial<HistoryLimits>;
}

export interface HistoryLimits {
  readonly commits: number;
  readonly ms: number;
  /** That one commit changes; of one that changes more, so many are told. */
  readonly changes: number;
}

export interface CommitChanges {
  readonly subject: string;
  /** Paths from the folder. Those that are gone are among them. */
  readonly changes: readonly ChangedPath[];
  /** False where there were more than are told. */
  readonly complete: boolean;
}

export interface ReadHistory {
  /** Of the known commits those that are in another history now; empty while the history only grew. */
  readonly left: readonly string[];
  /** Commits that are in no other history than theirs. */
  readonly leftCommits: number;
  /** What is known is of another history, or of one that is not here any more. */
  readonly isBroken: boolean;
  readonly commits: Iterable<CommitChanges>;
  close(): void;
}

const LIMITS: HistoryLimits = { commits: 250_000, ms: 120_000, changes: 1_000 };
/** Entries that differ: files, and the folders around them. */
const ENTRIES_PER_CHANGE = 4;
/** Bytes are limited by the time there is. */
const OBJECTS = { mostBytes: 2 ** 40, keptBytes: 48 * 1024 * 1024, namesIn: 'memory' } as const;

/** Commits that have several parents are passed over: what they change was changed by others. */
export function readFileHistory(input: FileHistoryInput): ReadHistory {
  const limits = { ...LIMITS, ...input.limits };
  const objects = openObjectBytes(input.commonDir, input.clock, { ...OBJECTS, mostMs: limits.ms });
  const commits = createCommitReader(objects);
  const found =
    input.known.length === 0
      ? {
          left: [],
          leftCommits: 0,
          isBroken: false,
          commits: walkCommits(commits, input.head, limits.commits),
        }
      : findNewCommits(commits, input.head, input.known, limits.commits);
  return {
    ...found,
    commits: readChanges({ objects, commits, order: found.commits }, input, limits),
    close: () => objects.close(),
  };
}

function* readChanges(
  {
    objects,
    commits,
    order,
  }: {
    readonly objects: GitObjectBytes;
    readonly commits: CommitReader;
    readonly order: Iterable<LoggedCommit>;
  },
  { folder }: FileHistoryInput,
  limits: HistoryLimits,
): Generator<CommitChanges> {
  const folders = folder === '' ? [] : folder.split('/');
  const most = { changes: limits.changes, entries: limits.changes * ENTRIES_PER_CHANGE };
  const treeOf = (tree: string): string | undefined =>
    folders.length === 0 ? tree : findTree(objects, tree, folders);
  for (const { tree, parents, subject } of order) {
    if (objects.isSpent()) return;
    const [parent, other] = parents;
    if (other !== undefined) continue;
    const before = parent === undefined ? undefined : commits.treeOf(parent);
    // The end of a shallow clone: what the last commit changed cannot be told.
    if (parent !== undefined && before === undefined) continue;
    const [old, now] = [before === undefined ? undefined : treeOf(before), treeOf(tree)];
    const { changes, complete } = diffTrees(objects, old, now, most);
    if (changes.length > 0) yield { subject, changes, complete };
  }
}
