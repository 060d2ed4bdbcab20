/** The files of a working tree that the last commit does not have as they are: what a checkpoint would otherwise forget. */
import { join } from 'node:path';
import type { Clock } from '../core/index.ts';
import { findTrackedDirt, listFiles, type DirtyFile, type ListOptions } from '../platform/index.ts';
import { readGitIdentity } from './git-identity.ts';

export interface DirtyOptions {
  readonly clock: Clock;
  /** What is left out where new files are looked for. */
  readonly list: ListOptions;
}

const MOST_FILES = 50;
const MOST_LISTED = 20_000;

/** None for what is no working tree, or one of so many files that looking at each would take too long. */
export async function readDirtyFiles(
  root: string,
  { clock, list }: DirtyOptions,
): Promise<readonly DirtyFile[]> {
  const git = readGitIdentity(root);
  if (git === undefined) return [];
  const gitDir = git.worktree === undefined ? git.commonDir : join(git.commonDir, 'worktrees', git.worktree);
  const tracked = findTrackedDirt({ realRoot: root, gitDir, clock, most: MOST_FILES });
  if (tracked === undefined) return [];
  const found = [...tracked.files];
  const never = new AbortController().signal;
  for await (const { files } of listFiles(root, { ...list, maxFiles: MOST_LISTED }, never)) {
    for (const { path } of files) if (!tracked.isTracked(path)) found.push({ path, state: 'new' });
    if (found.length >= MOST_FILES) break;
  }
  return found.slice(0, MOST_FILES);
}
