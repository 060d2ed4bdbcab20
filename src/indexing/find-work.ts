/** What has to be read or removed so that the index matches a listing. Pure. */
import type { Skip } from '../core/index.ts';
import type { ManifestEntry } from '../storage/index.ts';
import type { IndexPlan, ListedFile } from './plan.ts';

/** A listed file that is left out for what is in it, and how it was when that was found. */
export interface UnreadFile {
  readonly skip: Skip;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface WorkInput {
  readonly files: ReadonlyMap<string, ListedFile>;
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  readonly unread: ReadonlyMap<string, UnreadFile>;
  /** How files are analysed now; one that was in another way is read again. */
  readonly analysis: string;
  /** Files that have to be read even if size and time are the same. */
  readonly suspects: ReadonlySet<string>;
}

/** `paths`: only these are compared; every one if left out. */
export function findWork(input: WorkInput, paths?: Iterable<string>): IndexPlan {
  const { files, entries } = input;
  const read: ListedFile[] = [];
  const gone: ManifestEntry[] = [];
  if (paths === undefined) {
    let known = 0;
    for (const file of files.values()) {
      const entry = entries.get(file.path);
      if (entry !== undefined) known += 1;
      if (hasToBeRead(input, file, entry)) read.push(file);
    }
    // Nearly always all of them are there still.
    if (known < entries.size)
      for (const entry of entries.values()) if (!files.has(entry.path)) gone.push(entry);
  } else {
    for (const path of new Set(paths)) {
      const file = files.get(path);
      const entry = entries.get(path);
      if (file === undefined) {
        if (entry !== undefined) gone.push(entry);
      } else if (hasToBeRead(input, file, entry)) read.push(file);
    }
  }
  return { read, gone, unchanged: files.size - read.length };
}

function hasToBeRead(
  { unread, suspects, analysis }: WorkInput,
  file: ListedFile,
  entry: ManifestEntry | undefined,
): boolean {
  if (suspects.has(file.path)) return true;
  if (entry !== undefined && entry.analysis !== analysis) return true;
  const known = entry ?? unread.get(file.path);
  return known?.sizeBytes !== file.sizeBytes || known.mtimeMs !== file.mtimeMs;
}
