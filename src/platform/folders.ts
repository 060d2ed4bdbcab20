/** Whole folders: copied so that nobody ever sees half of one, moved, and removed. */
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Ids } from './ids.ts';
import { ensurePrivateDir } from './private-files.ts';

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
    rmSync(to, { recursive: true, force: true });
    renameSync(draft, to);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function removeFolder(absPath: string): void {
  rmSync(absPath, { recursive: true, force: true });
}

/** The names in a folder, sorted; none if there is no such folder, or it cannot be read. */
export function readableNames(absPath: string): readonly string[] {
  try {
    return readdirSync(absPath).toSorted();
  } catch {
    return [];
  }
}
