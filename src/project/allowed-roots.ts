/** The folders that HTTP clients may name projects in. */
import { realPath } from '../platform/index.ts';
import { isInside } from './never-projects.ts';

export interface AllowedRoots {
  /** Whether this real path may be named; always true where the user set no limit. */
  allows(realRoot: string): boolean;
}

export function createAllowedRoots(folders: readonly string[]): AllowedRoots {
  if (folders.length === 0) return { allows: () => true };
  return {
    allows(realRoot) {
      // Resolved on each call: a folder that is replaced must not keep its old meaning.
      return folders.some((folder) => {
        const real = realPath(folder);
        return real !== undefined && isInside(realRoot, real);
      });
    },
  };
}
