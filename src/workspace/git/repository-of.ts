/** The git directory that a folder belongs to, however deep inside the working tree it lies. */
import { dirname, join } from 'node:path';
import { WHOLE_DISK, type Disk } from '../reading/disk.ts';
import { readGitIdentity } from './repository.ts';

/** The common directory of all worktrees; undefined outside of a repository, or inside of one that only claims to be one. */
export function findGitDir(root: string, disk: Disk = WHOLE_DISK): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (disk.kind(join(folder, '.git')) !== 'missing') return readGitIdentity(folder, disk)?.commonDir;
    if (folder === dirname(folder)) return undefined;
  }
}
