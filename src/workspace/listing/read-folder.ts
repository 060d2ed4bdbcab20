/** The entries of one folder, sorted, with the names that are no text set apart. Links are seen as links. */
import { readdirSync, type Dirent } from 'node:fs';
import { isUtf8 } from 'node:buffer';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  /** Its bytes are not UTF-8; `name` then shows them as `\\xff`, so that two such names are told apart. */
  readonly isUndecodable: boolean;
}

export type FolderRead =
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'failed'; readonly why: string };

/** What the decoder puts in place of bytes that are not UTF-8. A name may also hold it rightfully. */
const REPLACEMENT = '\uFFFD';

export function readFolder(absPath: string): FolderRead {
  try {
    const found = readdirSync(absPath, { withFileTypes: true });
    const entries = found.some(({ name }) => name.includes(REPLACEMENT))
      ? readdirSync(absPath, { withFileTypes: true, encoding: 'buffer' }).map(toDecodedEntry)
      : found.map(toEntry);
    return { kind: 'entries', entries: entries.sort(byPath) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { kind: 'failed', why: code };
  }
}

const DOT = '.'.charCodeAt(0);

/** The entry of this name. Few folders have any with a dot, and those stand before the letters: the others are not looked at. */
export function dotEntry(entries: readonly Entry[], wanted: `.${string}`): Entry | undefined {
  for (const entry of entries) {
    if (entry.name === wanted) return entry;
    if (entry.name.charCodeAt(0) > DOT) return undefined;
  }
  return undefined;
}

function toEntry(found: Dirent): Entry {
  return { name: found.name, kind: kindOf(found), isUndecodable: false };
}

function toDecodedEntry(found: Dirent<Buffer>): Entry {
  const isUndecodable = !isUtf8(found.name);
  const name = isUndecodable ? showBytes(found.name) : found.name.toString('utf8');
  return { name, kind: kindOf(found), isUndecodable };
}

function kindOf(found: Dirent | Dirent<Buffer>): EntryKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'other';
}

/** A folder sorts as if its slash were part of its name, so that a whole listing is in the order of its paths. */
function byPath(a: Entry, b: Entry): number {
  const left = a.kind === 'folder' ? `${a.name}/` : a.name;
  const right = b.kind === 'folder' ? `${b.name}/` : b.name;
  return left < right ? -1 : left > right ? 1 : 0;
}

function showBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
