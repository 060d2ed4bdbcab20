/** What can be asked of files and folders, of all of the disk or only of what lies below some folders. */
import { readdirSync } from 'node:fs';
import { isLink, pathKind, realPath, type PathKind, readTextIfPresent } from '../../platform/index.ts';

/** What one look at a path came to. `outside` says nothing else: what is there was not looked at. */
export type Look =
  | { readonly kind: 'directory' | 'file'; readonly real: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outside' };

export interface DiskEntry {
  readonly name: string;
  readonly kind: 'directory' | 'file';
}

/** Questions that never throw. What lies outside of a view is not there, for each of them but `look`. */
export interface Disk {
  /** Whether there is anything that this view does not show. */
  readonly limited: boolean;
  /** What is at a path and where it really lies, of one and the same moment. */
  look(absPath: string): Look;
  kind(absPath: string): PathKind;
  real(absPath: string): string | undefined;
  isLink(absPath: string): boolean;
  /** What a folder holds, without links, sorted by name; nothing if it cannot be read. */
  entries(absPath: string): readonly DiskEntry[];
  /** A small text file; undefined if it is none, or too large. */
  read(absPath: string, maxBytes: number): string | undefined;
}

export const WHOLE_DISK: Disk = {
  limited: false,
  look(absPath) {
    const kind = pathKind(absPath);
    const real = kind === 'missing' ? undefined : realPath(absPath);
    return kind === 'missing' || real === undefined ? { kind: 'missing' } : { kind, real };
  },
  kind: pathKind,
  real: realPath,
  isLink,
  entries: readEntries,
  read(absPath, maxBytes) {
    try {
      return readTextIfPresent(absPath, { maxBytes });
    } catch {
      // Too large, a pipe, or not ours to read.
      return undefined;
    }
  },
};

export function readEntries(absPath: string): readonly DiskEntry[] {
  try {
    return readdirSync(absPath, { withFileTypes: true })
      .flatMap((entry): readonly DiskEntry[] => {
        if (entry.isDirectory()) return [{ name: entry.name, kind: 'directory' }];
        return entry.isFile() ? [{ name: entry.name, kind: 'file' }] : [];
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
