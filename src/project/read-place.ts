/** Where in its history a project stands: whose memory it shares, worktree, branch and commit. Read from git's files. */
import { basename, dirname, join } from 'node:path';
import { readTextIfPresent } from '../platform/index.ts';
import { readGitIdentity } from './git-identity.ts';

export interface ProjectPlace {
  readonly root: string;
  readonly name: string;
  /** The repository where there is one, else the directory itself. */
  readonly identity: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

const LIMITS = { maxBytes: 4 * 1024 * 1024 };
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function readPlace(root: string): ProjectPlace {
  const git = readGitIdentity(root);
  if (git === undefined) return { root, name: basename(root), identity: root };
  const { commonDir, worktree, branch } = git;
  const gitDir = worktree === undefined ? commonDir : join(commonDir, 'worktrees', worktree);
  const commit =
    branch === undefined
      ? toCommit(read(join(gitDir, 'HEAD')))
      : (toCommit(read(join(commonDir, 'refs', 'heads', branch))) ?? packedCommit(commonDir, branch));
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(root);
  return { root, name, identity: commonDir, worktree, branch, commit };
}

function packedCommit(commonDir: string, branch: string): string | undefined {
  const line = read(join(commonDir, 'packed-refs'))
    ?.split('\n')
    .find((candidate) => candidate.endsWith(` refs/heads/${branch}`));
  return toCommit(line?.split(' ')[0]);
}

function toCommit(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return COMMIT.test(trimmed) ? trimmed : undefined;
}

function read(absPath: string): string | undefined {
  try {
    return readTextIfPresent(absPath, LIMITS);
  } catch {
    // Too large, a pipe, not ours to read: nothing that git would have written.
    return undefined;
  }
}
