/** Where in its history a project stands: whose memory it shares, worktree, branch and commit. Read from git's files. */
import { basename, dirname, relative, sep } from 'node:path';
import { homeDirectory } from '../platform/index.ts';
import {
  WHOLE_DISK,
  type Disk,
  gitDirOf,
  readGitIdentity,
  readDetachedHead,
  readRef,
} from '../workspace/index.ts';
import { findVcsRoot, whyNeverProject } from './identity.ts';

export interface ProjectPlace {
  /** The working tree that the project lies in, else the project itself. */
  readonly root: string;
  readonly name: string;
  /** The repository where there is one, else the directory itself. */
  readonly identity: string;
  /** Where in the working tree the project lies, with forward slashes; empty if it is the whole tree. */
  readonly folder: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

/** A folder inside a version-controlled tree belongs to that tree: it shares its memory. */
export function readPlace(project: string, disk: Disk = WHOLE_DISK): ProjectPlace {
  const root = findTree(project, disk) ?? project;
  const folder = relative(root, project).split(sep).join('/');
  const git = readGitIdentity(root, disk);
  if (git === undefined) return { root, name: basename(root), identity: root, folder };
  const { commonDir, worktree, branch } = git;
  const gitDir = gitDirOf(git);
  const commit =
    branch === undefined ? readDetachedHead(gitDir, disk) : readRef(commonDir, `refs/heads/${branch}`, disk);
  const name = basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(root);
  return { root, name, identity: commonDir, folder, worktree, branch, commit };
}

/** The version-controlled tree a project lies in, itself included; none that can never be a project. */
export function findTree(project: string, disk: Disk = WHOLE_DISK): string | undefined {
  const home = homeDirectory();
  const tree = findVcsRoot(project, home, disk);
  return tree === undefined || whyNeverProject(tree, { home, caches: [] }) !== undefined ? undefined : tree;
}
