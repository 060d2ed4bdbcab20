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
  /** False if the user told git not to look, or the file is not checked out. */
  readonly isLookedAt: boolean;
  /** Where in the file the entry begins. */
  readonly at: number;
}

/** Entries have numbers from 0, in the order of their paths. Most are never asked for: each is read from the bytes when it is. */
export interface GitIndex {
  readonly count: number;
  entry(number: number): GitIndexEntry;
  /** Of `entry(number)`, without the rest. */
  mtimeMs(number: number): number;
  has(path: string): boolean;
  /** Paths of the entries that are submodules. */
  readonly repositories: readonly string[];
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
const MODE_AT = 26;
const SIZE_AT = 36;
const BLOB_AT = 40;
const BLOB_BYTES = 20;
const FLAGS_AT = 60;
const IS_EXTENDED = 0x4000;
const NOT_LOOKED_AT = { flags: 0x8000, extended: 0x4000 } as const;
const NAME_LENGTH = 0xfff;
const FILE_TYPE = 0o170000;
const SUBMODULE = 0o160000;
const CHECKSUM_BYTES = 20;
/** `TREE` in ASCII. */
const TREE = 0x54_52_45_45;
/** No system opens a longer path. */
const MAX_PATH_BYTES = 4_096;
const ENTRIES_PER_LOOK = 512;
/** Packed names can stand for many times their bytes. */
const MOST_NAME_BYTES = 16 * 1024 * 1024;

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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(4);
  const count = view.getUint32(8);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  if (count > maxEntries) return undefined;
  /** Where each entry begins, and its name. */
  const starts = new Uint32Array(count);
  const nameStarts = new Uint32Array(count);
  const nameEnds = new Uint32Array(count);
  const unpacker = version === 4 ? createNameUnpacker(bytes) : undefined;
  const submodules: number[] = [];
  let at = HEADER_BYTES;
  for (let number = 0; number < count; number++) {
    if (number % ENTRIES_PER_LOOK === 0 && isLate()) return undefined;
    const flags = view.getUint16(at + FLAGS_AT);
    const nameAt = at + FIXED_BYTES + ((flags & IS_EXTENDED) === 0 ? 0 : 2);
    starts[number] = at;
    if ((view.getUint16(at + MODE_AT) & FILE_TYPE) === SUBMODULE) submodules.push(number);
    if (unpacker === undefined) {
      const end = endOfName(bytes, nameAt, flags & NAME_LENGTH);
      nameStarts[number] = nameAt;
      nameEnds[number] = end;
      // One to eight zeros follow, so that entries begin at multiples of eight.
      at = end + 8 - ((end - at) % 8);
    } else {
      const { from, to, end } = unpacker.next(nameAt);
      nameStarts[number] = from;
      nameEnds[number] = to;
      at = end;
    }
  }
  const names = unpacker?.names() ?? bytes;
  const pathOf = (number: number): string => toText(names, nameStarts[number] ?? 0, nameEnds[number] ?? 0);
  const mtimeMs = (number: number): number => {
    const start = starts[number] ?? 0;
    return view.getUint32(start + 8) * 1_000 + view.getUint32(start + 12) / 1_000_000;
  };
  return {
    count,
    mtimeMs,
    entry(number) {
      const start = starts[number] ?? 0;
      const flags = view.getUint16(start + FLAGS_AT);
      const extended = (flags & IS_EXTENDED) === 0 ? 0 : view.getUint16(start + FIXED_BYTES);
      return {
        path: pathOf(number),
        mtimeMs: mtimeMs(number),
        sizeBytes: view.getUint32(start + SIZE_AT),
        kind: kindOf(view.getUint16(start + MODE_AT)),
        isLookedAt: (flags & NOT_LOOKED_AT.flags) === 0 && (extended & NOT_LOOKED_AT.extended) === 0,
        at: start,
      };
    },
    has(path) {
      const wanted = Buffer.from(path);
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >> 1;
        const order = names.compare(wanted, 0, wanted.length, nameStarts[middle], nameEnds[middle]);
        if (order === 0) return true;
        if (order < 0) low = middle + 1;
        else high = middle;
      }
      return false;
    },
    repositories: submodules.map(pathOf),
    blobOf: (entry) => bytes.toString('hex', entry.at + BLOB_AT, entry.at + BLOB_AT + BLOB_BYTES),
    openFolders: openFoldersIn(bytes, at, { maxEntries, isLate }),
  };
}

function kindOf(mode: number): GitIndexEntry['kind'] {
  const type = mode & FILE_TYPE;
  return type === 0o100000 ? 'file' : type === SUBMODULE ? 'repository' : 'other';
}

interface NameUnpacker {
  /** Where the name is among the unpacked ones, and where the packed one ends. */
  next(at: number): { readonly from: number; readonly to: number; readonly end: number };
  names(): Buffer;
}

/** Names of version 4: how many bytes of the name before to drop, then what to put in their place. */
function createNameUnpacker(bytes: Buffer): NameUnpacker {
  let names = Buffer.alloc(bytes.length);
  let from = 0;
  let to = 0;
  return {
    next(packedAt) {
      let at = packedAt;
      let byte = bytes.readUInt8(at++);
      let dropped = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = bytes.readUInt8(at++);
        dropped = (dropped + 1) * 128 + (byte & 0x7f);
      }
      const end = endOfText(bytes, at);
      const kept = Math.max(0, to - from - dropped);
      const length = kept + end - at;
      if (length > MAX_PATH_BYTES) throw new RangeError('a name is too long');
      if (to + length > MOST_NAME_BYTES) throw new RangeError('there are too many names');
      if (to + length > names.length) names = Buffer.concat([names], (to + length) * 2);
      names.copyWithin(to, from, from + kept);
      bytes.copy(names, to + kept, at, end);
      from = to;
      to += length;
      return { from, to, end: end + 1 };
    },
    names: () => names,
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
