/** What has to be done so that the index matches the files. Pure: a manifest and a listing in, a plan out. */
import type { ManifestEntry } from '../storage/index.ts';

export interface ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Somebody wants it even if it is generated or minified. */
  readonly isAskedFor?: boolean;
}

export interface IndexPlan {
  /** Files that have to be read: new ones, and those whose size or time says that they may have changed. */
  readonly read: readonly ListedFile[];
  /** Files of the manifest that are no longer listed. Some may turn out to be renamed, once new files were read. */
  readonly gone: readonly ManifestEntry[];
  readonly unchanged: number;
}

/** Size and time first, because looking costs nothing; the content decides when the file is read. */
export function planIndex(
  manifest: readonly ManifestEntry[],
  listing: readonly ListedFile[],
  analysis: string,
): IndexPlan {
  const known = new Map(manifest.map((entry) => [entry.path, entry]));
  const read: ListedFile[] = [];
  let unchanged = 0;
  for (const file of listing) {
    const entry = known.get(file.path);
    known.delete(file.path);
    const isSame =
      entry !== undefined &&
      entry.sizeBytes === file.sizeBytes &&
      entry.mtimeMs === file.mtimeMs &&
      entry.analysis === analysis;
    if (isSame) unchanged += 1;
    else read.push(file);
  }
  return { read, gone: [...known.values()], unchanged };
}

/**
 * Which vanished file a new one was before: the one with the same bytes. It is indexed anew, because where a file is tells
 * what it is about; but it is known to be the same file. A file that was known under its own path has no origin.
 */
export function createOrigins(
  manifest: readonly ManifestEntry[],
  plan: IndexPlan,
): (path: string, hash: string) => string | undefined {
  const known = new Set(manifest.map(({ path }) => path));
  const vanished = new Map<string, string[]>();
  for (const { path, hash } of plan.gone) vanished.set(hash, [...(vanished.get(hash) ?? []), path]);
  // Each vanished file can be the origin of one new file only; further copies are new.
  return (path, hash) => (known.has(path) ? undefined : vanished.get(hash)?.shift());
}
