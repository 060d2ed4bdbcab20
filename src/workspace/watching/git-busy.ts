/** Whether git is at work in a tree: while it is, more is to come, and one look at the end is enough. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lookAtPath } from '../listing/stamp.ts';

const MAX_LINK_BYTES = 4096;

/** git holds this lock while it switches branches, merges, applies and rebases. A dead git may leave it behind. */
export function isGitBusy(root: string): boolean {
  const folder = findGitFolder(root);
  return folder !== undefined && lookAtPath(join(folder, 'index.lock')) !== undefined;
}

function findGitFolder(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const absPath = join(folder, '.git');
    const stats = lookAtPath(absPath);
    if (stats?.isDirectory() === true) return absPath;
    // A worktree's or submodule's file names its folder. Whatever it names, all we do there is to look for one name.
    if (stats?.isFile() === true) return readLink(absPath, folder);
    if (folder === dirname(folder)) return undefined;
  }
}

function readLink(absPath: string, folder: string): string | undefined {
  try {
    const fd = openSync(
      absPath,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    );
    try {
      if (!fstatSync(fd).isFile()) return undefined;
      const buffer = Buffer.alloc(MAX_LINK_BYTES);
      const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, MAX_LINK_BYTES, 0));
      const named = /^gitdir: ([^\0\n]+)/.exec(text)?.[1];
      return named === undefined ? undefined : resolve(folder, named);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
