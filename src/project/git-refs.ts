/** Which commit a name stands for, read from git's files. */
import type { Disk } from '../platform/index.ts';
import { readGitFile } from './read-git-file.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** What git allows as a part of a name, and less: whoever names a branch must not reach another file. */
const PART = /^(?![.-])[^\s\\~^:?*[\]\p{C}]{1,200}(?<!\.lock|\.)$/u;

/** `ref` is a full name, such as `refs/heads/main`. */
export function readRef(commonDir: string, ref: string, disk: Disk): string | undefined {
  const view = { disk, maxBytes: MAX_BYTES };
  const own = toCommit(readGitFile(commonDir, ref, view));
  if (own !== undefined) return own;
  const line = readGitFile(commonDir, 'packed-refs', view)
    ?.split('\n')
    .find((candidate) => candidate.endsWith(` ${ref}`));
  return toCommit(line?.split(' ')[0]);
}

/** A branch of this repository, or else the one of that name as it was last seen elsewhere. */
export function readBranchTip(commonDir: string, branch: string, disk: Disk): string | undefined {
  if (!branch.split('/').every((part) => PART.test(part) && !part.includes('..'))) return undefined;
  for (const place of ['heads', 'remotes', 'remotes/origin']) {
    const tip = readRef(commonDir, `refs/${place}/${branch}`, disk);
    if (tip !== undefined) return tip;
  }
  return undefined;
}

/** Of a worktree in which no branch is checked out. */
export function readDetachedHead(gitDir: string, disk: Disk): string | undefined {
  return toCommit(readGitFile(gitDir, 'HEAD', { disk, maxBytes: MAX_BYTES }));
}

function toCommit(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return COMMIT.test(trimmed) ? trimmed : undefined;
}
