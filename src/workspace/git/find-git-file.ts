/**
 * Where a file of a git directory really lies, if it is one that may be read. Archives can carry links, and a linked file
 * would have us read, and show, what somebody else chose.
 */
import { dirname, join, relative, sep } from 'node:path';
import { WHOLE_DISK, type Disk } from '../reading/disk.ts';

/** `name` is its path from the git directory. Undefined if there is none, or if a link leads out of the git directory. */
export function findGitFile(gitDir: string, name: string, disk: Disk = WHOLE_DISK): string | undefined {
  const home = disk.real(gitDir);
  const real = disk.real(join(gitDir, name));
  if (home === undefined || real === undefined) return undefined;
  return real.startsWith(join(home, sep)) || isKeptByRepo(home, name, real) ? real : undefined;
}

/**
 * Android's `repo` keeps what belongs to the project at `a/b` in `.repo/projects/a/b.git` at the top of its checkout, and
 * links to it from `a/b/.git`. That place of this very project is the only one outside that a link may lead to.
 */
function isKeptByRepo(gitDir: string, name: string, real: string): boolean {
  const project = dirname(gitDir);
  for (let top = dirname(project); top !== dirname(top); top = dirname(top))
    if (real === join(top, '.repo', 'projects', `${relative(top, project)}.git`, name)) return true;
  return false;
}
