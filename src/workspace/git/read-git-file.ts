/** A file of a git directory, if it is one of its own. */
import { findGitFile } from './find-git-file.ts';
import { type Disk } from '../reading/disk.ts';

export interface GitFileView {
  readonly disk: Disk;
  readonly maxBytes: number;
}

/** `name` is its path from the git directory. Undefined if there is none, a link leads out, or it is too large. */
export function readGitFile(
  gitDir: string,
  name: string,
  { disk, maxBytes }: GitFileView,
): string | undefined {
  const absPath = findGitFile(gitDir, name, disk);
  return absPath === undefined ? undefined : disk.read(absPath, maxBytes);
}
