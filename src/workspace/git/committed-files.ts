/** The files of a commit: which content each path had. Only folders that are asked about are read. */
import type { GitObjects, GitTreeEntry } from './objects.ts';

export interface CommittedFiles {
  /** The digest of its content; undefined if there was no such file. */
  blobOf(path: string): string | undefined;
  /** A folder could not be read: what was said is not to be relied on. */
  isIncomplete(): boolean;
}

type Folder = ReadonlyMap<string, GitTreeEntry>;

export function readCommittedFiles(objects: GitObjects, tree: string): CommittedFiles {
  const folders = new Map<string, Folder>();
  const none: Folder = new Map();
  let isIncomplete = false;
  const open = (hash: string): Folder => {
    const read = objects.tree(hash);
    if (read === undefined) isIncomplete = true;
    return read ?? none;
  };
  /** From the top down, as far as there are folders: of what is not there nothing is kept. */
  const entryOf = (path: string): GitTreeEntry | undefined => {
    let folder = folders.get('') ?? keep('', tree);
    for (let from = 0; ;) {
      const cut = path.indexOf('/', from);
      const entry = folder.get(path.slice(from, cut === -1 ? undefined : cut));
      if (cut === -1 || entry?.isFolder !== true) return cut === -1 ? entry : undefined;
      const above = path.slice(0, cut);
      folder = folders.get(above) ?? keep(above, entry.hash);
      from = cut + 1;
    }
  };
  const keep = (path: string, hash: string): Folder => {
    const folder = open(hash);
    folders.set(path, folder);
    return folder;
  };
  return {
    blobOf(path) {
      const entry = entryOf(path);
      return entry?.isFolder === false ? entry.hash : undefined;
    },
    isIncomplete: () => isIncomplete,
  };
}
