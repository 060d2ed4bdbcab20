/** The files of a working tree that are not as in the last commit, or as where the work left another branch. */
import type { ChangedFiles, WhyUntold } from '../core/index.ts';
import {
  findMergeBase,
  openGitObjects,
  readCommittedFiles,
  WHOLE_DISK,
  findDirt,
  type DirtyOptions,
  readGitIdentity,
  readBranchTip,
} from '../workspace/index.ts';
import { readPlace } from './read-place.ts';

export async function readChangedFiles(
  root: string,
  branch: string | undefined,
  options: DirtyOptions,
): Promise<ChangedFiles> {
  const { disk = WHOLE_DISK, clock, most } = options;
  const git = readGitIdentity(root, disk);
  if (git === undefined) return untold('no_repository');
  const { commit, branch: current } = readPlace(root, disk);
  // Without a name of the branch, HEAD may be in a table that is not read: the index still tells.
  if (commit === undefined && current !== undefined) return untold('no_commit');
  const tip = branch === undefined ? undefined : readBranchTip(git.commonDir, branch, disk);
  if (branch !== undefined && tip === undefined) return untold('no_branch');
  const dirt = await findDirt(root, git, options);
  if (dirt === undefined) return untold('no_index');
  if (tip === undefined) return { kind: 'told', paths: dirt.files.map(({ path }) => path) };
  const objects = openGitObjects(git.commonDir, clock);
  try {
    const base = commit === undefined ? undefined : findMergeBase(objects, commit, tip);
    const tree = base === undefined ? undefined : objects.commit(base)?.tree;
    if (tree === undefined) return untold('no_common_commit');
    const before = readCommittedFiles(objects, tree);
    // What git knows comes first: new files may be many, and only so many are told.
    const paths = new Set<string>();
    for (const [path, blob] of dirt.blobs) if (before.blobOf(path) !== blob) paths.add(path);
    // What is staged was compared itself: it may be what the other branch has.
    for (const { path, state } of dirt.files) if (state !== 'staged') paths.add(path);
    return before.isIncomplete()
      ? untold('not_all_here')
      : { kind: 'told', paths: [...paths].slice(0, most) };
  } finally {
    objects.close();
  }
}

function untold(why: WhyUntold): ChangedFiles {
  return { kind: 'untold', why };
}
