/** The files of a commit: which content each path had. Only folders that are asked about are read. */
import type { GitObjects, GitTreeEntry } from './object-store.ts';

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
  /** `''` is the top. Paths come from an index, whose length limits how many there are. */
  const folderOf = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const entry = path === '' ? { hash: tree, isFolder: true } : entryOf(path);
    const made = entry?.isFolder === true ? open(entry.hash) : none;
    folders.set(path, made);
    return made;
  };
  const entryOf = (path: string): GitTreeEntry | undefined => {
    const cut = path.lastIndexOf('/');
    return folderOf(path.slice(0, Math.max(0, cut))).get(path.slice(cut + 1));
  };
  return {
    blobOf(path) {
      const entry = entryOf(path);
      return entry?.isFolder === false ? entry.hash : undefined;
    },
    isIncomplete: () => isIncomplete,
  };
}
