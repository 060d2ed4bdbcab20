/** The folders that HTTP clients may name projects in. */
import { createDiskBeneath, WHOLE_DISK, type Disk } from '../workspace/index.ts';
import { realPath, resolveDots } from '../platform/index.ts';
import { isInside } from './places.ts';

export interface AllowedRoots {
  /**
   * The disk as far as this caller may hear of it. What is outside is not even looked at, and the answer is the same
   * whether it exists or not: nobody shall learn from us what else is on this machine.
   */
  readonly disk: Disk;
  /** Whether this real path may be a project; always true where the user set no limit. */
  allows(realRoot: string): boolean;
  /** The disk by which to look into a project. One outside was named by whoever set the limit, who may do so. */
  diskOf(root: string): Disk;
}

export const NO_LIMIT: AllowedRoots = {
  disk: WHOLE_DISK,
  allows: () => true,
  diskOf: () => WHOLE_DISK,
};

export function createAllowedRoots(named: readonly string[]): AllowedRoots {
  if (named.length === 0) return NO_LIMIT;
  const folders = named.map(resolveDots);
  const disk = createDiskBeneath(folders);
  const realAtStart = folders.map((folder) => realPath(folder) ?? folder);
  return {
    disk,
    diskOf(root) {
      const names = [...folders, ...realAtStart, ...folders.map((folder) => realPath(folder) ?? folder)];
      return names.some((folder) => isInside(root, folder)) ? disk : WHOLE_DISK;
    },
    // Resolved on each call: a folder that is replaced must not keep its old meaning.
    allows: (realRoot) =>
      folders.some((folder) => {
        const real = realPath(folder);
        return real !== undefined && isInside(realRoot, real);
      }),
  };
}
