/**
 * The entries of git's index file, versions 2 to 4. Pure. A repository is not trusted: entries, lengths of names, folders and time
 * are limited, and what git would not have written is no index.
 */

export interface GitIndexEntry {
  readonly path: string;
  /** Of the file when git last looked at it. */
  readonly mtimeMs: number;
  readonly sizeBytes: number;
  /** `repository`: a submodule, known by its commit. */
  readonly kind: 'file' | 'repository' | 'other';
  /** Where in the file the entry begins. */
  readonly at: number;
}

export interface GitIndex {
  readonly entries: readonly GitIndexEntry[];
  /** The digest of the content that git has of an entry. */
  blobOf(entry: GitIndexEntry): string;
  /** Folders in which something was added, changed or removed since the last commit; undefined if git did not note it. */
  readonly openFolders: ReadonlySet<string> | undefined;
}

export interface IndexLimits {
  readonly maxEntries: number;
  /** Asked now and then: parsing stops when it says yes. */
  readonly isLate?: () => boolean;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const BLOB_AT = 40;
const BLOB_BYTES = 20;
const FLAGS_AT = 60;
const IS_EXTENDED = 0x4000;
/** The user told git not to look, or the file is not checked out. */
const NOT_LOOKED_AT = { flags: 0x8000, extended: 0x4000 } as const;
const NAME_LENGTH = 0xfff;
const FILE_TYPE = 0o170000;
const CHECKSUM_BYTES = 20;
/** `TREE` in ASCII. */
const TREE = 0x54_52_45_45;
/** No system opens a longer path. */
const MAX_PATH_BYTES = 4_096;
const ENTRIES_PER_LOOK = 512;

/** Undefined for what is no index, has too many entries or takes too long. */
export function parseGitIndex(bytes: Buffer, limits: IndexLimits): GitIndex | undefined {
  try {
    return parse(bytes, limits);
  } catch (thrown) {
    // Reading past the end: the file is cut, or uses digests of another length.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function parse(bytes: Buffer, { maxEntries, isLate = () => false }: IndexLimits): GitIndex | undefined {
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  if (count > maxEntries) return undefined;
  const entries: GitIndexEntry[] = [];
  const packed = version === 4 ? createNameUnpacker(bytes) : undefined;
  let at = HEADER_BYTES;
  for (let number = 0; number < count; number++) {
    if (number % ENTRIES_PER_LOOK === 0 && isLate()) return undefined;
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const isExtended = (flags & IS_EXTENDED) !== 0;
    const extended = isExtended ? bytes.readUInt16BE(at + FIXED_BYTES) : 0;
    const nameAt = at + FIXED_BYTES + (isExtended ? 2 : 0);
    let path: string;
    let end: number;
    if (packed === undefined) {
      end = endOfName(bytes, nameAt, flags & NAME_LENGTH);
      path = toText(bytes, nameAt, end);
      // One to eight zeros follow, so that entries begin at multiples of eight.
      end += 8 - ((end - at) % 8);
    } else ({ path, end } = packed(nameAt));
    const isLookedAt = (flags & NOT_LOOKED_AT.flags) === 0 && (extended & NOT_LOOKED_AT.extended) === 0;
    if (isLookedAt)
      entries.push({
        path,
        mtimeMs: bytes.readUInt32BE(at + 8) * 1_000 + bytes.readUInt32BE(at + 12) / 1_000_000,
        sizeBytes: bytes.readUInt32BE(at + 36),
        kind: kindOf(bytes.readUInt16BE(at + 26)),
        at,
      });
    at = end;
  }
  return {
    entries,
    blobOf: (entry) => bytes.toString('hex', entry.at + BLOB_AT, entry.at + BLOB_AT + BLOB_BYTES),
    openFolders: openFoldersIn(bytes, at, { maxEntries, isLate }),
  };
}

function kindOf(mode: number): GitIndexEntry['kind'] {
  const type = mode & FILE_TYPE;
  return type === 0o100000 ? 'file' : type === 0o160000 ? 'repository' : 'other';
}

/** Names of version 4: how many bytes of the name before to drop, then what to put in their place. */
function createNameUnpacker(
  bytes: Buffer,
): (from: number) => { readonly path: string; readonly end: number } {
  const name = Buffer.alloc(MAX_PATH_BYTES);
  let length = 0;
  return (from) => {
    let at = from;
    let byte = bytes.readUInt8(at++);
    let dropped = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = bytes.readUInt8(at++);
      dropped = (dropped + 1) * 128 + (byte & 0x7f);
    }
    const end = endOfText(bytes, at);
    const kept = Math.max(0, length - dropped);
    length = kept + end - at;
    if (length > MAX_PATH_BYTES) throw new RangeError('a name is too long');
    bytes.copy(name, kept, at, end);
    return { path: toText(name, 0, length), end: end + 1 };
  };
}

/** The flags hold the length of a name that is not longer than they can say. */
function endOfName(bytes: Buffer, from: number, length: number): number {
  const end = from + length;
  return length < NAME_LENGTH && bytes[end] === 0 ? end : endOfText(bytes, from);
}

function endOfText(bytes: Buffer, from: number): number {
  const most = Math.min(bytes.length, from + MAX_PATH_BYTES + 1);
  for (let at = from; at < most; at++) if (bytes[at] === 0) return at;
  throw new RangeError('a name has no end, or is too long');
}

/** Nearly all names are ASCII, which is decoded much faster. */
function toText(bytes: Buffer, from: number, to: number): string {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) >= 0x80) return bytes.toString('utf8', from, to);
  return bytes.toString('latin1', from, to);
}

/** The extension `TREE` holds the tree of each folder, or -1 where it is no longer that of the last commit. */
function openFoldersIn(
  bytes: Buffer,
  from: number,
  limits: Required<IndexLimits>,
): ReadonlySet<string> | undefined {
  for (let at = from; at + 8 <= bytes.length - CHECKSUM_BYTES;) {
    const length = bytes.readUInt32BE(at + 4);
    if (bytes.readUInt32BE(at) === TREE) return parseTree(bytes.subarray(at + 8, at + 8 + length), limits);
    at += 8 + length;
  }
  return undefined;
}

function parseTree(
  bytes: Buffer,
  { maxEntries, isLate }: Required<IndexLimits>,
): ReadonlySet<string> | undefined {
  const open = new Set<string>();
  /** Folders that have so many more subfolders to come. */
  const around: { readonly path: string; left: number }[] = [];
  let folders = 0;
  for (let at = 0; at < bytes.length;) {
    if (++folders > maxEntries || (folders % ENTRIES_PER_LOOK === 0 && isLate())) return undefined;
    const nameEnd = endOfText(bytes, at);
    const lineEnd = bytes.indexOf(0x0a, nameEnd);
    if (lineEnd === -1) break;
    const [count = 0, subfolders = 0] = bytes
      .toString('latin1', nameEnd + 1, lineEnd)
      .split(' ')
      .map(Number);
    while (around.length > 0 && around.at(-1)?.left === 0) around.pop();
    const parent = around.at(-1);
    if (parent !== undefined) parent.left -= 1;
    const name = bytes.toString('utf8', at, nameEnd);
    const path = parent === undefined || parent.path === '' ? name : `${parent.path}/${name}`;
    if (path.length > MAX_PATH_BYTES) return undefined;
    if (count < 0) open.add(path);
    around.push({ path, left: subfolders });
    at = lineEnd + 1 + (count < 0 ? 0 : BLOB_BYTES);
  }
  return open;
}
