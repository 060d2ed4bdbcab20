/** The files of a project, as imports ask for them: by path, by folder and by the end of a path. */
import { posix } from 'node:path';

export interface ProjectFiles {
  has(path: string): boolean;
  /** The first of these that is a file. */
  first(candidates: Iterable<string | undefined>): string | undefined;
  /** Files directly in a folder; `''` is the root. */
  inFolder(folder: string): readonly string[];
  /** The file that ends in this path, the nearest to `from` when there are several. */
  endingIn(path: string, from: string): string | undefined;
}

const NONE: readonly string[] = [];

export function createProjectFiles(paths: Iterable<string>): ProjectFiles {
  const all = new Set(paths);
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of all) {
    push(byName, posix.basename(path), path);
    push(byFolder, folderOf(path), path);
  }
  return {
    has: (path) => all.has(path),
    first: (candidates) => {
      for (const candidate of candidates) if (candidate !== undefined && all.has(candidate)) return candidate;
      return undefined;
    },
    inFolder: (folder) => byFolder.get(folder) ?? NONE,
    endingIn: (path, from) => {
      const fitting = (byName.get(posix.basename(path)) ?? NONE).filter(
        (known) => known === path || known.endsWith(`/${path}`),
      );
      return nearest(fitting, from);
    },
  };
}

function push(map: Map<string, string[]>, key: string, path: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [path]);
  else list.push(path);
}

/** The one that shares most folders with `from`; of equals the shortest, then the first by name. */
function nearest(paths: readonly string[], from: string): string | undefined {
  const shared = (path: string): number => {
    let at = 0;
    while (at < path.length && path[at] === from[at]) at++;
    return path.slice(0, at).split('/').length;
  };
  return [...paths].sort((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))[0];
}

/** `''` for a file at the root. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

/** A path from a folder of the project, or undefined when it leads out of it. */
export function joinInside(folder: string, path: string): string | undefined {
  const joined = posix.join(folder === '' ? '.' : folder, path);
  if (joined === '..' || joined.startsWith('../') || posix.isAbsolute(joined)) return undefined;
  return joined === '.' ? '' : joined.replace(/\/$/, '');
}

/** The folder itself, then those around it up to the root. */
export function foldersUp(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== '';) folders.push((at = folderOf(at)));
  return folders;
}
