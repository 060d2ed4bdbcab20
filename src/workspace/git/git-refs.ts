/** Which commit a name stands for, read from git's files. */
import type { Disk } from '../reading/disk.ts';
import { readGitFile } from './read-git-file.ts';

/** A hundred thousand names in one file are ten megabytes. */
const MAX_BYTES = 32 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const SYMBOLIC = /^ref: (refs\/\S+)\s*$/;
/** What git allows as a part of a name, and less: whoever names a branch must not reach another file. */
const PART = /^(?![.-])[^\s\\~^:?*[\]\p{C}]{1,200}(?<!\.lock|\.)$/u;

/** `ref` is a full name, such as `refs/heads/main`. One that stands for another is followed once. */
export function readRef(
  commonDir: string,
  ref: string,
  disk: Disk,
  follow: 'once' | 'never' = 'once',
): string | undefined {
  const view = { disk, maxBytes: MAX_BYTES };
  const text = readGitFile(commonDir, ref, view);
  const own = toCommit(text);
  if (own !== undefined) return own;
  const other = follow === 'once' ? SYMBOLIC.exec(text ?? '')?.[1] : undefined;
  if (other !== undefined) return isName(other) ? readRef(commonDir, other, disk, 'never') : undefined;
  const line = readGitFile(commonDir, 'packed-refs', view)
    ?.split('\n')
    .find((candidate) => candidate.endsWith(` ${ref}`));
  return toCommit(line?.split(' ')[0]);
}

/** A branch of this repository, or else the one of that name as it was last seen elsewhere. */
export function readBranchTip(commonDir: string, branch: string, disk: Disk): string | undefined {
  if (!isName(branch)) return undefined;
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

function isName(name: string): boolean {
  return name.split('/').every((part) => PART.test(part) && !part.includes('..'));
}

function toCommit(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return COMMIT.test(trimmed) ? trimmed : undefined;
}
