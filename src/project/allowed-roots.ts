/** The folders that HTTP clients may name projects in. */
import { dirname, isAbsolute, resolve } from 'node:path';
import { isLink, realPath } from '../platform/index.ts';
import { isInside } from './places.ts';

export interface AllowedRoots {
  /**
   * Whether a caller may ask about this path at all. What is outside by its name is not even looked at, and the answer
   * is the same whether it exists or not: nobody shall learn from us what else is on this machine.
   */
  mayAsk(path: string): boolean;
  /** Whether this real path may be a project; always true where the user set no limit. */
  allows(realRoot: string): boolean;
}

export const NO_LIMIT: AllowedRoots = { mayAsk: () => true, allows: () => true };

export function createAllowedRoots(named: readonly string[]): AllowedRoots {
  if (named.length === 0) return NO_LIMIT;
  const folders = named.map((folder) => resolve(folder));
  // Resolved on each call: a folder that is replaced must not keep its old meaning.
  const realFolders = (): readonly string[] =>
    folders.map(realPath).filter((real): real is string => real !== undefined);

  return {
    mayAsk(path) {
      // It is refused for what it is, which tells nothing about the machine.
      if (!isAbsolute(path) || path.includes('\0')) return true;
      const real = realFolders();
      const asNamed = resolve(path);
      if (![...folders, ...real].some((folder) => isInside(asNamed, folder))) return false;
      const place = nearestReal(path);
      return place !== undefined && real.some((folder) => isInside(place, folder));
    },
    allows: (realRoot) => realFolders().some((folder) => isInside(realRoot, folder)),
  };
}

/** Where the part of a path that exists leads to. Undefined if a link on the way leads nowhere: it could lead anywhere. */
function nearestReal(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const real = realPath(at);
    if (real !== undefined) return real;
    if (isLink(at) || dirname(at) === at) return undefined;
  }
}
