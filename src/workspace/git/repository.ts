/**
 * What git says about a project, read from its files. No git program runs: a repository's configuration can name commands
 * (fsmonitor, hooks, external diffs) that git would start, and a repository is not trusted.
 */
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { GitIdentity } from '../../core/index.ts';
import { findGitFile } from './find-git-file.ts';
import { WHOLE_DISK, type Disk } from '../reading/disk.ts';
import { readGitConfig } from './config-file.ts';
import { withoutCredentials } from './git-remote.ts';
import { readGitFile } from './read-git-file.ts';

const MAX_BYTES = 64 * 1024;

/**
 * Undefined if the directory is no git working tree, or only claims to be one. A worktree whose repository lies outside of
 * the disk that may be looked at is one of these: it has neither a branch nor a memory to share.
 */
export function readGitIdentity(root: string, disk: Disk = WHOLE_DISK): GitIdentity | undefined {
  const located = locate(root, disk);
  if (located === undefined) return undefined;
  return {
    commonDir: located.commonDir,
    worktree: located.worktree,
    branch: readBranch(located.gitDir, disk),
    remote: readRemote(located.commonDir, disk),
  };
}

/** A worktree's own git directory, where its index and HEAD are. */
export function gitDirOf({ commonDir, worktree }: Pick<GitIdentity, 'commonDir' | 'worktree'>): string {
  return worktree === undefined ? commonDir : join(commonDir, 'worktrees', worktree);
}

/** Whether this is the root of a git working tree, and not merely something with a `.git` in it. */
export function isGitRoot(root: string, disk: Disk = WHOLE_DISK): boolean {
  return locate(root, disk) !== undefined;
}

interface Located {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly worktree: string | undefined;
}

function locate(root: string, disk: Disk): Located | undefined {
  const dotGit = join(root, '.git');
  const real = disk.real(dotGit);
  // A linked `.git` would adopt the memory of whatever it points to: archives can carry links.
  if (real === undefined || real !== join(disk.real(root) ?? '', '.git')) return undefined;
  return disk.kind(real) === 'directory' ? locateMain(real, disk) : locateLinked(root, dotGit, disk);
}

function locateMain(gitDir: string, disk: Disk): Located | undefined {
  const head = findGitFile(gitDir, 'HEAD', disk);
  if (head === undefined || disk.kind(head) !== 'file') return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

/**
 * A `.git` file points to a directory elsewhere. It counts only if that directory points back, so that an unpacked archive
 * cannot adopt another project's memory by naming its git directory.
 */
function locateLinked(root: string, dotGit: string, disk: Disk): Located | undefined {
  const target = /^gitdir: (.+)$/m.exec(disk.read(dotGit, MAX_BYTES) ?? '')?.[1]?.trim();
  const gitDir = target === undefined ? undefined : disk.real(resolve(root, target));
  if (gitDir === undefined) return undefined;
  const common = readSmall(gitDir, 'commondir', disk)?.trim();
  return common === undefined
    ? locateSubmodule(root, gitDir, disk)
    : locateWorktree({ dotGit, gitDir, common }, disk);
}

function locateWorktree(
  { dotGit, gitDir, common }: { readonly dotGit: string; readonly gitDir: string; readonly common: string },
  disk: Disk,
): Located | undefined {
  const commonDir = disk.real(resolve(gitDir, common));
  if (commonDir === undefined || dirname(gitDir) !== join(commonDir, 'worktrees')) return undefined;
  const back = readSmall(gitDir, 'gitdir', disk)?.trim();
  if (back === undefined || !isSame(isAbsolute(back) ? back : resolve(gitDir, back), dotGit, disk))
    return undefined;
  return { gitDir, commonDir, worktree: basename(gitDir) };
}

/**
 * A submodule's git directory lies in that of the working tree around it, and names its own working tree in its
 * configuration. One that lies elsewhere is not even looked into: it would be a file that somebody else chose.
 */
function locateSubmodule(root: string, gitDir: string, disk: Disk): Located | undefined {
  const around = locateAround(disk.real(root) ?? root, disk);
  if (around === undefined || !gitDir.startsWith(join(around.gitDir, 'modules', sep))) return undefined;
  const worktree = readGitConfig(readSmall(gitDir, 'config', disk) ?? '', 'core', 'worktree');
  if (worktree === undefined || !isSame(resolve(gitDir, worktree), root, disk)) return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

/** The working tree that a folder lies in: a repository's, one of its linked ones, or a submodule again. */
function locateAround(root: string, disk: Disk): Located | undefined {
  for (let folder = root; folder !== dirname(folder);) {
    folder = dirname(folder);
    const kind = disk.kind(join(folder, '.git'));
    const located = kind === 'missing' ? undefined : locate(folder, disk);
    // Git walks past a `.git` folder that is none. A file that leads nowhere is where to stop: to look above each of many
    // such files, one in another, would take for ever.
    if (located !== undefined || kind === 'file') return located;
  }
  return undefined;
}

/** Where the branches are in a table (reftable), `HEAD` only says that they are not here: no branch begins with a dot. */
function readBranch(gitDir: string, disk: Disk): string | undefined {
  const branch = /^ref: refs\/heads\/([^.].*)$/m.exec(readSmall(gitDir, 'HEAD', disk) ?? '')?.[1];
  return branch?.trim();
}

function readSmall(gitDir: string, name: string, disk: Disk): string | undefined {
  return readGitFile(gitDir, name, { disk, maxBytes: MAX_BYTES });
}

function isSame(a: string, b: string, disk: Disk): boolean {
  const real = disk.real(a);
  return real !== undefined && real === disk.real(b);
}

function readRemote(commonDir: string, disk: Disk): string | undefined {
  const url = readGitConfig(readSmall(commonDir, 'config', disk) ?? '', 'remote "origin"', 'url');
  return url === undefined ? undefined : withoutCredentials(url);
}
