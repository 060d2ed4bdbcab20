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

/** What one file that was read comes to. */
export type FileOutcome =
  | { readonly kind: 'same' }
  | { readonly kind: 'renamed'; readonly from: string }
  | { readonly kind: 'index' };

/**
 * Decides by content: the same bytes under the same path are not indexed again. Under a new path they are, because where a
 * file is tells what it is about; but it is known to be the same file.
 */
export function createOutcomes(
  manifest: readonly ManifestEntry[],
  plan: IndexPlan,
  analysis: string,
): (path: string, hash: string) => FileOutcome {
  const known = new Map(manifest.map((entry) => [entry.path, entry]));
  const vanished = new Map<string, string[]>();
  for (const { path, hash } of plan.gone) vanished.set(hash, [...(vanished.get(hash) ?? []), path]);
  return (path, hash) => {
    const entry = known.get(path);
    if (entry !== undefined) {
      const isSame = entry.hash === hash && entry.analysis === analysis;
      return { kind: isSame ? 'same' : 'index' };
    }
    // Each vanished file can be the origin of one new file only; further copies are indexed.
    const from = vanished.get(hash)?.shift();
    return from === undefined ? { kind: 'index' } : { kind: 'renamed', from };
  };
}
