/** Whole folders: copied so that half of one is never seen, looked through, and removed. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Ids } from './machine.ts';
import { readPlainFile } from './untrusted-files.ts';
import { ensurePrivateDir } from './private-files.ts';

const MOST_DIGESTED_BYTES = 512 * 1024 * 1024;

/** Copies a folder without the named entries. The copy appears under its name when it is complete. */
export function copyFolder(from: string, to: string, ids: Ids, leaveOut: readonly string[] = []): void {
  ensurePrivateDir(dirname(to));
  const draft = `${to}.${ids.token(6)}`;
  try {
    cpSync(from, draft, {
      recursive: true,
      dereference: true,
      filter: (source) => !leaveOut.includes(basename(source)),
    });
    // What is in the way may not be ours: it is moved, not removed.
    if (existsSync(to)) renameSync(to, `${draft}.old`);
    renameSync(draft, to);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function removeFolder(absPath: string): void {
  rmSync(absPath, { recursive: true, force: true });
}

/** Removes folders that are empty, the deepest first; true if this one is gone. Links are not followed. */
export function removeEmptyFolders(absPath: string): boolean {
  try {
    if (!lstatSync(absPath).isDirectory()) return false;
    for (const entry of readdirSync(absPath, { withFileTypes: true }))
      if (entry.isDirectory()) removeEmptyFolders(join(absPath, entry.name));
    return removeFolderIfEmpty(absPath);
  } catch {
    // It cannot be read.
    return false;
  }
}

/** True if it was there and empty, and is gone. A link is no folder. */
export function removeFolderIfEmpty(absPath: string): boolean {
  try {
    rmdirSync(absPath);
    return true;
  } catch {
    // It is not empty, not there, or not ours to remove.
    return false;
  }
}

/** The regular files below a folder, as paths with `/`, sorted. Links are not followed. */
export function filesBelow(absPath: string): readonly string[] {
  const found: string[] = [];
  const walk = (folder: string, way: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(join(folder, entry.name), `${way}${entry.name}/`);
      else if (entry.isFile()) found.push(`${way}${entry.name}`);
    }
  };
  walk(absPath, '');
  return found.toSorted();
}

/** A digest of what a regular file holds; undefined if there is none. */
export function digestFile(absPath: string): string | undefined {
  const bytes = readPlainFile(absPath, MOST_DIGESTED_BYTES);
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

/** The names in a folder, sorted; none if there is no such folder, or it cannot be read. */
export function readableNames(absPath: string): readonly string[] {
  try {
    return readdirSync(absPath).toSorted();
  } catch {
    return [];
  }
}
