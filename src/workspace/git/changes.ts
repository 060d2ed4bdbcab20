/**
 * Which files of a working tree have uncommitted changes, or changed since a branch. Git's index tells; no git program runs: a
 * repository can name commands that git would start, and a repository is not trusted.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  type ChangedFiles,
  type Clock,
  createTimeSlice,
  once,
  type ProjectPlace,
  type WhyUntold,
} from '../../core/index.ts';
import { explainPath } from '../listing/explain-path.ts';
import { type ListedFile, listFiles } from '../listing/list-files.ts';
import type { ListOptions } from '../listing/list-options.ts';
import { lookInside, openLooks, type Looks } from '../reading/folder-inside.ts';
import { fileStamp, readSource, WHOLE_DISK, type Disk } from '../reading/read-source.ts';
import { findMergeBase, readCommittedFiles } from './history.ts';
import { parseGitIndex, type GitIndex, type GitIndexEntry } from './index-file.ts';
import { openGitObjects } from './objects.ts';
import { findGitFile, readBranchTip } from './repository.ts';

export type ChangeState = 'modified' | 'deleted' | 'staged' | 'new';

export interface UncommittedFile {
  readonly path: string;
  readonly state: ChangeState;
}

export interface Uncommitted {
  readonly files: readonly UncommittedFile[];
  /** There may be more: too many, too little time, or an index that cannot be read. */
  readonly isPartial: boolean;
}

/** A folder's files as a watcher keeps them: what is the same in git's index need not be looked at. */
export interface KnownFiles {
  readonly files: ReadonlyMap<string, Pick<ListedFile, 'sizeBytes' | 'mtimeMs'>>;
  /** Files and folders at which something changed since. */
  readonly unseen: ReadonlySet<string>;
}

export interface ChangesOptions {
  readonly clock: Clock;
  /** What is left out where new files are looked for. */
  readonly list: () => ListOptions;
  /** At most so many are told. */
  readonly most: number;
  readonly cache?: IndexCache;
  /** Of the project's own folder. */
  readonly known?: KnownFiles | undefined;
  /** Stop looking after about this long. A few hundred files are looked at in any case. */
  readonly budgetMs?: number;
  /** As much of it as may be looked at. */
  readonly disk?: Disk;
}

const MAX_INDEX = { bytes: 16 * 1024 * 1024, entries: 20_000, ms: 250 } as const;
const MAX_LISTED = 20_000;
const MAX_HASHED_BYTES = 4 * 1024 * 1024;
/** However little time there is: the answer about a small project is complete on a busy machine too. */
const LEAST_LOOKS = 300;

/** Of the project's own folder, and named from there. */
export async function readUncommitted(place: ProjectPlace, options: ChangesOptions): Promise<Uncommitted> {
  if (place.gitDir === undefined) return { files: [], isPartial: false };
  const deadlines = toDeadlines(options);
  const read = readTracked(place.gitDir, place.folder, options);
  if (typeof read === 'string') return { files: [], isPartial: read === 'unreadable' };
  return addNew(
    place,
    read,
    await compareTracked(place, read, options, deadlines.tracked),
    options,
    deadlines.listed,
  );
}

/** As above, or since the work left a branch: `git diff branch...`, uncommitted changes included. */
export async function readChangedFiles(
  place: ProjectPlace,
  branch: string | undefined,
  options: ChangesOptions,
): Promise<ChangedFiles> {
  const { gitDir, identity: commonDir, commit, folder } = place;
  if (gitDir === undefined) return untold('no_repository');
  // Without a name of the branch, HEAD may be in a table that is not read: the index still tells.
  if (commit === undefined && place.branch !== undefined) return untold('no_commit');
  const tip = branch === undefined ? undefined : readBranchTip(commonDir, branch, options.disk ?? WHOLE_DISK);
  if (branch !== undefined && tip === undefined) return untold('no_branch');
  const read = readTracked(gitDir, folder, options);
  if (typeof read === 'string') return untold('no_index');
  const compared = await compareTracked(place, read, options, Infinity);
  const { files } = await addNew(place, read, compared, options, Infinity);
  if (tip === undefined) return { kind: 'told', paths: files.map(({ path }) => path) };
  const objects = openGitObjects(commonDir, options.clock);
  try {
    const base = commit === undefined ? undefined : findMergeBase(objects, commit, tip);
    const tree = base === undefined ? undefined : objects.commit(base)?.tree;
    if (tree === undefined) return untold('no_common_commit');
    const before = readCommittedFiles(objects, tree);
    // Tracked files come first: new ones may be many, and only so many are told.
    const paths = new Set<string>();
    for (const [path, entry] of read.entries())
      if (before.blobOf(fromTop(folder, path)) !== read.index.blobOf(entry)) paths.add(path);
    // What is staged was compared itself: it may be what the other branch has.
    for (const { path, state } of files) if (state !== 'staged') paths.add(path);
    return before.isIncomplete()
      ? untold('not_all_here')
      : { kind: 'told', paths: [...paths].slice(0, options.most) };
  } finally {
    objects.close();
  }
}

function untold(why: WhyUntold): ChangedFiles {
  return { kind: 'untold', why };
}

/** What git's index says of a folder. */
interface TrackedFiles {
  readonly index: GitIndex;
  readonly folder: string;
  readonly indexMs: number;
  /** When something was last committed or checked out. */
  readonly headMovedMs: number;
  /** Those that are looked at, by path from the folder. All of them: only for what compares all. */
  readonly entries: () => ReadonlyMap<string, GitIndexEntry>;
  /** Folders that are repositories of their own: what is in them is theirs. */
  readonly repositories: ReadonlySet<string>;
}

/** Keeps what was read of the last few indexes: the next save finds most of them unchanged. */
export interface IndexCache {
  get(key: string): TrackedFiles | undefined;
  set(key: string, tracked: TrackedFiles): void;
}

const MOST_CACHED = 4;

export function createIndexCache(): IndexCache {
  const kept = new Map<string, TrackedFiles>();
  return {
    get: (key) => kept.get(key),
    set(key, tracked) {
      kept.set(key, tracked);
      const [oldest] = kept.keys();
      if (kept.size > MOST_CACHED && oldest !== undefined) kept.delete(oldest);
    },
  };
}

function readTracked(
  gitDir: string,
  folder: string,
  { clock, cache, disk = WHOLE_DISK }: ChangesOptions,
): TrackedFiles | 'absent' | 'unreadable' {
  const absPath = join(gitDir, 'index');
  const stamp = fileStamp(absPath);
  if (stamp === undefined) return lookInside(absPath) === undefined ? 'absent' : 'unreadable';
  const headMovedMs = timeOf(findGitFile(gitDir, 'logs/HEAD', disk));
  const key = [absPath, stamp, folder, headMovedMs].join('\n');
  const known = cache?.get(key);
  if (known !== undefined) return known;
  const source = readSource({ realRoot: gitDir, absPath, maxBytes: MAX_INDEX.bytes, clock });
  if (source.kind === 'skipped') return 'unreadable';
  const endsAt = clock.elapsed() + MAX_INDEX.ms;
  const isLate = (): boolean => clock.elapsed() > endsAt;
  const index = parseGitIndex(source.bytes, { maxEntries: MAX_INDEX.entries, isLate });
  if (index === undefined) return 'unreadable';
  const repositories = new Set(index.repositories.flatMap((path) => within(folder, path) ?? []));
  const { mtimeNs } = source.stat;
  // The same sums as for a file's time in milliseconds, so that equal times are equal numbers.
  const indexMs = Number(mtimeNs / 1_000_000_000n) * 1_000 + Number(mtimeNs % 1_000_000_000n) / 1_000_000;
  const entries = once(() => new Map(readEntries({ index, folder, headMovedMs })));
  const tracked = { index, folder, indexMs, headMovedMs, entries, repositories };
  if (source.stat.stamp === stamp && !source.stat.mayStillChange) cache?.set(key, tracked);
  return tracked;
}

/** As the index has them; once time is over only those that may be staged, which the index tells by itself. */
function* readEntries(
  { index, folder, headMovedMs }: Pick<TrackedFiles, 'index' | 'folder' | 'headMovedMs'>,
  isOver = () => false,
): Generator<readonly [path: string, entry: GitIndexEntry]> {
  let last: readonly [path: string, entry: GitIndexEntry] | undefined;
  for (let number = 0; number < index.count; number++) {
    if (isOver() && index.mtimeMs(number) <= headMovedMs) continue;
    const entry = index.entry(number);
    const path = within(folder, entry.path);
    if (path === undefined || !entry.isLookedAt || !staysInside(entry.path)) continue;
    // A file in conflict has an entry for each side, one behind the other.
    if (last !== undefined && last[0] !== path) yield last;
    last = [path, entry];
  }
  if (last !== undefined) yield last;
}

async function compareTracked(
  { root }: ProjectPlace,
  tracked: TrackedFiles,
  { clock, most, known }: ChangesOptions,
  endsAt: number,
): Promise<Uncommitted> {
  const { index, indexMs, headMovedMs } = tracked;
  const isSpent = createBudget(clock, endsAt);
  const slice = createTimeSlice(clock);
  const { openFolders } = index;
  const files: UncommittedFile[] = [];
  const looks = openLooks();
  let isPartial = false;
  let isOver = false;
  // A few hundred of them are looked at, unless a watcher knows the others: then they are kept for the next save.
  const entries = known === undefined ? readEntries(tracked, () => isOver) : tracked.entries();
  try {
    for (const [path, entry] of entries) {
      if (files.length >= most) {
        isPartial = true;
        break;
      }
      let state: ChangeState | undefined;
      if (!isKnownSame(known, path, entry, indexMs)) {
        isOver ||= isSpent();
        if (isOver) isPartial = true;
        else state = workState(root, entry, { index, indexMs, clock, look: looks.look });
        if (slice.isOver()) await slice.yield();
      }
      const isStaged = entry.mtimeMs > headMovedMs && openFolders?.has(folderOf(entry.path)) === true;
      if (state !== undefined || isStaged) files.push({ path, state: state ?? 'staged' });
    }
  } finally {
    looks.close();
  }
  return { files, isPartial };
}

function isKnownSame(
  known: KnownFiles | undefined,
  path: string,
  { sizeBytes, mtimeMs }: GitIndexEntry,
  indexMs: number,
): boolean {
  const seen = known?.files.get(path);
  if (known === undefined || seen === undefined || isIn(path, known.unseen)) return false;
  return seen.sizeBytes === sizeBytes && seen.mtimeMs === mtimeMs && mtimeMs < indexMs;
}

/** Adds the files that git does not know yet, as far as rules and settings let them in. */
async function addNew(
  { root, folder }: ProjectPlace,
  { index, entries, repositories }: TrackedFiles,
  found: Uncommitted,
  { clock, list, most, known }: ChangesOptions,
  endsAt: number,
): Promise<Uncommitted> {
  const absRoot = join(root, folder);
  const files = [...found.files];
  let { isPartial } = found;
  const isSpent = createBudget(clock, endsAt);
  const isNew = (path: string): boolean =>
    !(known !== undefined && entries().has(path)) &&
    !index.has(fromTop(folder, path)) &&
    !isIn(path, repositories);
  const add = (path: string): void => {
    if (files.length >= most) isPartial = true;
    else files.push({ path, state: 'new' });
  };
  if (known !== undefined) {
    for (const path of known.files.keys()) {
      if (isPartial && files.length >= most) break;
      if (isNew(path) && lookInside(join(absRoot, path))?.isFile() === true) add(path);
    }
    for (const path of known.unseen) {
      if (!isNew(path) || known.files.has(path)) continue;
      const stats = lookInside(join(absRoot, path));
      if (stats?.isDirectory() === true || (stats !== undefined && isSpent())) isPartial = true;
      else if (stats?.isFile() === true && explainPath(absRoot, path, list()).kind === 'listed') add(path);
    }
    return { files, isPartial };
  }
  const never = new AbortController().signal;
  const options = { ...list(), maxFiles: MAX_LISTED, ...(endsAt === Infinity ? {} : { sliceMs: 1 }) };
  for await (const batch of listFiles(absRoot, options, never)) {
    for (const { path } of batch.files) if (isNew(path)) add(path);
    if (batch.skips.some(({ reason }) => reason === 'too_many_files')) isPartial = true;
    if (files.length < most && !isSpent(batch.files.length + batch.skips.length)) continue;
    isPartial = true;
    break;
  }
  return { files, isPartial };
}

/** When to stop comparing what git knows, and when to stop looking for new files. */
function toDeadlines({ clock, budgetMs = Infinity }: ChangesOptions): {
  readonly tracked: number;
  readonly listed: number;
} {
  const now = clock.elapsed();
  return { tracked: now + budgetMs / 2, listed: now + budgetMs };
}

/** Says when to stop: at that time, but not before so many looks. */
function createBudget(clock: Clock, endsAt: number): (looks?: number) => boolean {
  let left = LEAST_LOOKS;
  return (looks = 1) => {
    left -= looks;
    return left < 0 && clock.elapsed() > endsAt;
  };
}

/** Git writes no other paths; a forged index might, to have us look elsewhere. */
function staysInside(path: string): boolean {
  return !/(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i.test(path);
}

interface WorkQuery {
  readonly index: GitIndex;
  readonly indexMs: number;
  readonly clock: Clock;
  readonly look: Looks['look'];
}

/** How the file differs from what the index has; undefined if it does not. */
function workState(
  realRoot: string,
  entry: GitIndexEntry,
  { index, indexMs, clock, look }: WorkQuery,
): ChangeState | undefined {
  const absPath = join(realRoot, entry.path);
  const stats = look(absPath);
  if (stats === undefined) return 'deleted';
  const isSame = stats.mtimeMs === entry.mtimeMs && stats.size === entry.sizeBytes;
  // A file that was written in the same moment as the index may have been written again since.
  if (isSame && stats.mtimeMs < indexMs) return undefined;
  if (entry.kind !== 'file' || !stats.isFile())
    return isSame || entry.kind !== 'file' ? undefined : 'modified';
  const source = readSource({ realRoot, absPath, maxBytes: MAX_HASHED_BYTES, clock });
  if (source.kind === 'skipped') return isSame ? undefined : 'modified';
  return blobsOf(source.bytes).includes(index.blobOf(entry)) ? undefined : 'modified';
}

/** As it is, and as git would store it where it changes the ends of lines. */
function blobsOf(bytes: Uint8Array): readonly string[] {
  const content = Buffer.from(bytes);
  const unix = content.includes('\r\n')
    ? [Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')]
    : [];
  return [content, ...unix].map((blob) =>
    createHash('sha1').update(`blob ${blob.length}\0`).update(blob).digest('hex'),
  );
}

/** The path as seen from the folder; undefined if it is not in it. */
function within(folder: string, path: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function fromTop(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Whether the path, or a folder around it, is among these. */
function isIn(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1))
    if (paths.has(path.slice(0, cut))) return true;
  return paths.has(path);
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

/** 0 if there is nothing to look at. */
function timeOf(absPath: string | undefined): number {
  return absPath === undefined ? 0 : (lookInside(absPath)?.mtimeMs ?? 0);
}
