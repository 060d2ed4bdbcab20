/** The files of one directory of ours: what they weigh, when they were written, and removing them. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface KeptFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** None if there is no such directory. Only plain files; what vanishes meanwhile is left out. */
export function listKeptFiles(absPath: string): readonly KeptFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(absPath);
  } catch {
    return [];
  }
  return names.toSorted().flatMap((name) => {
    const found = statSync(join(absPath, name), { throwIfNoEntry: false });
    if (found === undefined || !found.isFile()) return [];
    return [{ name, sizeBytes: found.size, modifiedAt: found.mtimeMs }];
  });
}

/** No file lies there afterwards. */
export function removeFile(absPath: string): void {
  rmSync(absPath, { force: true });
}
