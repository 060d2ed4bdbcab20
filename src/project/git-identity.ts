/**
 * What git says about a project, read from its files. No git program runs: a repository's configuration can name commands
 * (fsmonitor, hooks, external diffs) that git would start, and a repository is not trusted.
 */
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { pathKind, readTextIfPresent, realPath } from '../platform/index.ts';

export interface GitIdentity {
  /** Shared by all worktrees of a repository: the identity of its memory. */
  readonly commonDir: string;
  /** The worktree's name; undefined for the main one. */
  readonly worktree: string | undefined;
  /** Undefined when no branch is checked out. */
  readonly branch: string | undefined;
  /** The URL of `origin`, without credentials. */
  readonly remote: string | undefined;
}

const LIMITS = { maxBytes: 64 * 1024 };

/** Undefined if the directory is no git working tree, or only claims to be one. */
export function readGitIdentity(root: string): GitIdentity | undefined {
  const located = locate(root);
  if (located === undefined) return undefined;
  return {
    commonDir: located.commonDir,
    worktree: located.worktree,
    branch: /^ref: refs\/heads\/(.+)$/m.exec(read(join(located.gitDir, 'HEAD')) ?? '')?.[1]?.trim(),
    remote: readRemote(join(located.commonDir, 'config')),
  };
}

/** Whether this is the root of a git working tree, and not merely something with a `.git` in it. */
export function isGitRoot(root: string): boolean {
  return locate(root) !== undefined;
}

/**
 * What memory belongs to: the repository where there is one, so that its worktrees share what was learned, else the
 * directory itself. An index belongs to the root itself: worktrees have different files.
 */
export function memoryIdentity(root: string): string {
  return locate(root)?.commonDir ?? root;
}

interface Located {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly worktree: string | undefined;
}

function locate(root: string): Located | undefined {
  const dotGit = join(root, '.git');
  return pathKind(dotGit) === 'directory' ? locateMain(dotGit) : locateLinked(root, dotGit);
}

function locateMain(dotGit: string): Located | undefined {
  const gitDir = realPath(dotGit);
  // A linked `.git` would adopt the memory of whatever it points to: archives can carry links.
  if (gitDir !== join(realPath(dirname(dotGit)) ?? '', '.git')) return undefined;
  if (pathKind(join(gitDir, 'HEAD')) !== 'file') return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

/**
 * A `.git` file points to a directory elsewhere. It counts only if that directory points back, so that an unpacked archive
 * cannot adopt another project's memory by naming its git directory.
 */
function locateLinked(root: string, dotGit: string): Located | undefined {
  const target = /^gitdir: (.+)$/m.exec(read(dotGit) ?? '')?.[1]?.trim();
  const gitDir = target === undefined ? undefined : realPath(resolve(root, target));
  if (gitDir === undefined) return undefined;
  const common = read(join(gitDir, 'commondir'))?.trim();
  return common === undefined ? locateSubmodule(root, gitDir) : locateWorktree(dotGit, gitDir, common);
}

function locateWorktree(dotGit: string, gitDir: string, common: string): Located | undefined {
  const commonDir = realPath(resolve(gitDir, common));
  if (commonDir === undefined || dirname(gitDir) !== join(commonDir, 'worktrees')) return undefined;
  const back = read(join(gitDir, 'gitdir'))?.trim();
  if (back === undefined || !isSame(isAbsolute(back) ? back : resolve(gitDir, back), dotGit))
    return undefined;
  return { gitDir, commonDir, worktree: basename(gitDir) };
}

const MODULES = join(sep, '.git', 'modules', sep);

/**
 * A submodule's git directory lies in that of the project around it, and names its working tree in its configuration. One
 * that lies elsewhere is not even looked into: it would be a file that somebody else chose.
 */
function locateSubmodule(root: string, gitDir: string): Located | undefined {
  const around = gitDir.slice(0, Math.max(0, gitDir.indexOf(MODULES)));
  if (around === '' || realPath(root)?.startsWith(`${around}${sep}`) !== true) return undefined;
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(gitDir, 'config')) ?? '')?.[1]?.trim();
  if (worktree === undefined || !isSame(resolve(gitDir, worktree), root)) return undefined;
  return { gitDir, commonDir: gitDir, worktree: undefined };
}

function isSame(a: string, b: string): boolean {
  const real = realPath(a);
  return real !== undefined && real === realPath(b);
}

function readRemote(config: string): string | undefined {
  const section = /^\[remote "origin"\]([^[]*)/m.exec(read(config) ?? '')?.[1];
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section ?? '')?.[1];
  return url?.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

function read(absPath: string): string | undefined {
  try {
    return readTextIfPresent(absPath, LIMITS);
  } catch {
    // Too large, a pipe, not ours to read: nothing that a git directory would hold.
    return undefined;
  }
}
