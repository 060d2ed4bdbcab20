/** Paths as they are shown. Pure. */
import { isAbsolute, relative, sep } from 'node:path';
import { escapeControl } from '../../text/index.ts';

/** The home directory as `~`. */
export function shortPath(absPath: string, home: string): string {
  return escapeControl(absPath.startsWith(home + sep) ? `~${absPath.slice(home.length)}` : absPath);
}

/** As one would type it in this directory: relative, unless the whole path is shorter. */
export function pathFrom(cwd: string | undefined, absPath: string): string {
  if (cwd === undefined) return absPath;
  const path = relative(cwd, absPath);
  // On another drive there is no way from here.
  const isWay = path !== '' && !isAbsolute(path);
  if (!isWay) return path === '' ? '.' : absPath;
  return path.startsWith('..') && path.length > absPath.length ? absPath : path;
}
