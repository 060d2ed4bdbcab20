/** The entries of git's index file, versions 2 to 4. Pure; undefined for whatever git would not have written. */

export interface GitIndexEntry {
  readonly path: string;
  /** Of the file when git last looked at it. */
  readonly mtimeNs: bigint;
  readonly sizeBytes: number;
  /** The digest of its content as git would store it. */
  readonly blob: string;
  /** `repository`: a submodule, known by its commit. */
  readonly kind: 'file' | 'repository' | 'other';
}

export interface GitIndex {
  readonly entries: readonly GitIndexEntry[];
  /** Folders in which something was added, changed or removed since the last commit; undefined if git did not note it. */
  readonly openFolders: ReadonlySet<string> | undefined;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const BLOB_AT = 40;
const BLOB_BYTES = 20;
const FLAGS_AT = 60;
const IS_EXTENDED = 0x4000;
/** The user told git not to look, or the file is not checked out. */
const NOT_LOOKED_AT = { flags: 0x8000, extended: 0x4000 } as const;
const FILE_TYPE = 0o170000;
const KINDS: ReadonlyMap<number, GitIndexEntry['kind']> = new Map([
  [0o100000, 'file'],
  [0o160000, 'repository'],
]);
const CHECKSUM_BYTES = 20;

export function parseGitIndex(bytes: Buffer, mostEntries: number): GitIndex | undefined {
  try {
    return parse(bytes, mostEntries);
  } catch (thrown) {
    // Reading past the end: the file is cut, or uses digests of another length.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function parse(bytes: Buffer, mostEntries: number): GitIndex | undefined {
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined;
  if (count > mostEntries) return undefined;
  const entries: GitIndexEntry[] = [];
  let at = HEADER_BYTES;
  let path = '';
  for (let index = 0; index < count; index++) {
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const isExtended = (flags & IS_EXTENDED) !== 0;
    const extended = isExtended ? bytes.readUInt16BE(at + FIXED_BYTES) : 0;
    const nameAt = at + FIXED_BYTES + (isExtended ? 2 : 0);
    const name = version === 4 ? packedName(bytes, nameAt, path) : plainName(bytes, at, nameAt);
    ({ path } = name);
    const isLookedAt = (flags & NOT_LOOKED_AT.flags) === 0 && (extended & NOT_LOOKED_AT.extended) === 0;
    if (isLookedAt) entries.push(toEntry(bytes, at, path));
    at = name.end;
  }
  return { entries, openFolders: openFoldersIn(bytes, at) };
}

function toEntry(bytes: Buffer, at: number, path: string): GitIndexEntry {
  const mode = bytes.readUInt32BE(at + 24);
  return {
    path,
    mtimeNs: BigInt(bytes.readUInt32BE(at + 8)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 12)),
    sizeBytes: bytes.readUInt32BE(at + 36),
    blob: bytes.toString('hex', at + BLOB_AT, at + BLOB_AT + BLOB_BYTES),
    kind: KINDS.get(mode & FILE_TYPE) ?? 'other',
  };
}

interface Name {
  readonly path: string;
  /** Where the next entry begins. */
  readonly end: number;
}

/** Ends with one to eight zeros, so that entries begin at multiples of eight. */
function plainName(bytes: Buffer, entryAt: number, nameAt: number): Name {
  const end = endOfText(bytes, nameAt);
  const length = end - entryAt;
  return { path: bytes.toString('utf8', nameAt, end), end: entryAt + length + (8 - (length % 8)) };
}

/** How many letters of the name before to drop, then what to put in their place. */
function packedName(bytes: Buffer, nameAt: number, before: string): Name {
  let at = nameAt;
  let byte = bytes.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  const end = endOfText(bytes, at);
  const kept = Buffer.from(before, 'utf8');
  const path = kept.toString('utf8', 0, Math.max(0, kept.length - dropped)) + bytes.toString('utf8', at, end);
  return { path, end: end + 1 };
}

function endOfText(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw new RangeError('a name has no end');
  return end;
}

/** The extension `TREE` holds the tree of each folder, or -1 where it is no longer that of the last commit. */
function openFoldersIn(bytes: Buffer, from: number): ReadonlySet<string> | undefined {
  for (let at = from; at + 8 <= bytes.length - CHECKSUM_BYTES;) {
    const length = bytes.readUInt32BE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === 'TREE') return parseTree(bytes, at + 8, at + 8 + length);
    at += 8 + length;
  }
  return undefined;
}

function parseTree(bytes: Buffer, from: number, to: number): ReadonlySet<string> {
  const open = new Set<string>();
  /** Folders that have so many more subfolders to come. */
  const around: { readonly path: string; left: number }[] = [];
  for (let at = from; at < to;) {
    const nameEnd = endOfText(bytes, at);
    const lineEnd = bytes.indexOf(0x0a, nameEnd);
    if (lineEnd === -1 || lineEnd > to) break;
    const [count = 0, subfolders = 0] = bytes
      .toString('latin1', nameEnd + 1, lineEnd)
      .split(' ')
      .map(Number);
    while (around.length > 0 && around.at(-1)?.left === 0) around.pop();
    const parent = around.at(-1);
    if (parent !== undefined) parent.left -= 1;
    const name = bytes.toString('utf8', at, nameEnd);
    const path = parent === undefined || parent.path === '' ? name : `${parent.path}/${name}`;
    if (count < 0) open.add(path);
    around.push({ path, left: subfolders });
    at = lineEnd + 1 + (count < 0 ? 0 : BLOB_BYTES);
  }
  return open;
}
