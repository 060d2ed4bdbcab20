/** Where in its history a project stands: whose memory it shares, worktree, branch and commit. Read from git's files. */
import { basename, dirname } from 'node:path';
import { WHOLE_DISK, type Disk } from '../platform/index.ts';
import { gitDirOf, readGitIdentity } from './git-identity.ts';
import { readDetachedHead, readRef } from './git-refs.ts';

export interface ProjectPlace {
  readonly root: string;
  readonly name: string;
  /** The repository where there is one, else the directory itself. */
  readonly identity: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

export function readPlace(root: string, disk: Disk = WHOLE_DISK): ProjectPlace {
  const git = readGitIdentity(root, disk);
  if (git === undefined) return { root, name: basename(root), identity: root };
  const { commonDir, worktree, branch } = git;
  const gitDir = gitDirOf(git);
  const commit =
    branch === undefined ? readDetachedHead(gitDir, disk) : readRef(commonDir, `refs/heads/${branch}`, disk);
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(root);
  return { root, name, identity: commonDir, worktree, branch, commit };
}
