/** Where in its history a project stands: whose memory it shares, worktree, branch and commit. Read from git's files. */
import { basename, dirname, join } from 'node:path';
import { WHOLE_DISK, type Disk } from '../platform/index.ts';
import { readGitIdentity } from './git-identity.ts';
import { readGitFile, type GitFileView } from './read-git-file.ts';

export interface ProjectPlace {
  readonly root: string;
  readonly name: string;
  /** The repository where there is one, else the directory itself. */
  readonly identity: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

const MAX_BYTES = 4 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function readPlace(root: string, disk: Disk = WHOLE_DISK): ProjectPlace {
  const git = readGitIdentity(root, disk);
  if (git === undefined) return { root, name: basename(root), identity: root };
  const { commonDir, worktree, branch } = git;
  const view = { disk, maxBytes: MAX_BYTES };
  const gitDir = worktree === undefined ? commonDir : join(commonDir, 'worktrees', worktree);
  const commit =
    branch === undefined
      ? toCommit(readGitFile(gitDir, 'HEAD', view))
      : (toCommit(readGitFile(commonDir, join('refs', 'heads', branch), view)) ??
        packedCommit({ commonDir, branch, view }));
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(root);
  return { root, name, identity: commonDir, worktree, branch, commit };
}

interface Packed {
  readonly commonDir: string;
  readonly branch: string;
  readonly view: GitFileView;
}

function packedCommit({ commonDir, branch, view }: Packed): string | undefined {
  const line = readGitFile(commonDir, 'packed-refs', view)
    ?.split('\n')
    .find((candidate) => candidate.endsWith(` refs/heads/${branch}`));
  return toCommit(line?.split(' ')[0]);
}

function toCommit(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return COMMIT.test(trimmed) ? trimmed : undefined;
}
