/** The files of a working tree that the last commit does not have as they are: what a checkpoint would otherwise forget. */
import type { Clock, GitIdentity } from '../../core/index.ts';
import { findTrackedDirt, type DirtyFile, type TrackedDirt } from './changes.ts';
import { listFiles } from '../listing/list-files.ts';
import { type Disk } from '../reading/disk.ts';
import { type ListOptions } from '../listing/list-options.ts';
import { gitDirOf, readGitIdentity } from './repository.ts';

export interface DirtyOptions {
  readonly clock: Clock;
  /** What is left out where new files are looked for. */
  readonly list: ListOptions;
  /** The part of the disk that may be looked at. */
  readonly disk?: Disk;
  /** At most so many are told. */
  readonly most: number;
}

const MOST_LISTED = 20_000;

/** Undefined for what is no working tree, or one of so many files that looking at each would take too long. */
export async function readDirtyFiles(
  root: string,
  options: DirtyOptions,
): Promise<readonly DirtyFile[] | undefined> {
  const git = readGitIdentity(root, options.disk);
  return git === undefined ? undefined : (await findDirt(root, git, options))?.files;
}

/** With what git's index knows of each file. */
export async function findDirt(
  root: string,
  git: GitIdentity,
  { clock, list, most }: Omit<DirtyOptions, 'disk'>,
): Promise<TrackedDirt | undefined> {
  const tracked = findTrackedDirt({ realRoot: root, gitDir: gitDirOf(git), clock, most });
  if (tracked === undefined) return undefined;
  const found = [...tracked.files];
  const never = new AbortController().signal;
  for await (const { files } of listFiles(root, { ...list, maxFiles: MOST_LISTED }, never)) {
    for (const { path } of files)
      if (!tracked.blobs.has(path) && !isBelow(path, tracked.repositories))
        found.push({ path, state: 'new' });
    if (found.length >= most) break;
  }
  return { ...tracked, files: found.slice(0, most) };
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1))
    if (folders.has(path.slice(0, cut))) return true;
  return false;
}
