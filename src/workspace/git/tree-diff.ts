/** Which files differ between two folders of git, from the top down: what has the same hash is not entered. */
import type { GitObjectBytes } from './objects.ts';
import { HASH_BYTES } from './pack-file.ts';

export interface ChangedPath {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  /** The digest of its content, now or, if it is gone, before. */
  readonly blob: string;
}

export interface DiffLimits {
  readonly changes: number;
  /** Entries that are looked at: a folder may hold itself many times over by its hash. */
  readonly entries: number;
}

const MOST_DEPTH = 64;
const MOST_PATH_CHARS = 1_024;
/** Git writes none of these. */
const NO_NAMES = /^(?:|\.|\.\.|\.git)$|\//i;
const SLASH = 0x2f;
const NO_TREE = Buffer.alloc(0);

/** `complete` is false where there were too many; what was found until then is told. A folder that is not here is passed over. */
export function diffTrees(
  objects: GitObjectBytes,
  before: string | undefined,
  after: string | undefined,
  limits: DiffLimits,
): { readonly changes: readonly ChangedPath[]; readonly complete: boolean } {
  const changes: ChangedPath[] = [];
  let left = limits.entries;
  const read = (hash: string | undefined): Buffer | undefined =>
    hash === undefined ? NO_TREE : objects.read(hash, 'tree');

  /** False when it has to end. */
  const compare = (
    old: string | undefined,
    now: string | undefined,
    prefix: string,
    depth: number,
  ): boolean => {
    const [oldBytes, nowBytes] = [read(old), read(now)];
    if (oldBytes === undefined || nowBytes === undefined || depth > MOST_DEPTH) return true;
    const [a, b] = [new TreeCursor(oldBytes), new TreeCursor(nowBytes)];
    for (;;) {
      a.skipSame(b);
      if (a.isOver && b.isOver) break;
      left -= 1;
      if (left < 0 || changes.length >= limits.changes) return false;
      const order = a.isOver ? 1 : b.isOver ? -1 : compareNames(a, b);
      if (!tell(order <= 0 ? a : undefined, order >= 0 ? b : undefined, prefix, depth)) return false;
      if (order <= 0) a.next();
      if (order >= 0) b.next();
    }
    return true;
  };
  /** The same name on both sides, or on one alone. */
  const tell = (
    a: TreeCursor | undefined,
    b: TreeCursor | undefined,
    prefix: string,
    depth: number,
  ): boolean => {
    const name = (b ?? a)?.name() ?? '';
    const path = prefix + name;
    if (NO_NAMES.test(name) || path.length > MOST_PATH_CHARS) return true;
    if (a?.kind === 'folder' || b?.kind === 'folder') {
      const [old, now] = [a, b].map((side) => (side?.kind === 'folder' ? side.hash('hex') : undefined));
      if (!compare(old, now, `${path}/`, depth + 1)) return false;
    }
    const [wasFile, isFile] = [a?.kind === 'file', b?.kind === 'file'];
    if (isFile) changes.push({ path, kind: wasFile ? 'changed' : 'added', blob: b?.hash('latin1') ?? '' });
    else if (wasFile) changes.push({ path, kind: 'deleted', blob: a?.hash('latin1') ?? '' });
    return true;
  };
  const complete = before === after || compare(before, after, '', 0);
  return { changes, complete };
}

/** The hash of a folder inside of another one; undefined if it is not there. */
export function findTree(
  objects: GitObjectBytes,
  top: string,
  folders: readonly string[],
): string | undefined {
  let hash: string | undefined = top;
  for (const folder of folders) {
    const bytes = hash === undefined ? undefined : objects.read(hash, 'tree');
    if (bytes === undefined) return undefined;
    hash = undefined;
    for (const cursor = new TreeCursor(bytes); !cursor.isOver && hash === undefined; cursor.next())
      if (cursor.kind === 'folder' && cursor.name() === folder) hash = cursor.hash('hex');
  }
  return hash;
}

/** Each entry: its mode in octal digits, a blank, its name, a zero, its hash. */
class TreeCursor {
  readonly bytes: Buffer;
  isOver = false;
  nameStart = 0;
  nameEnd = 0;
  private at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.settle();
  }

  /** Links and repositories inside of this one are neither. */
  get kind(): 'file' | 'folder' | 'other' {
    const first = this.bytes[this.at];
    if (first === 0x34) return 'folder';
    return first === 0x31 && this.bytes[this.at + 1] === 0x30 ? 'file' : 'other';
  }

  next(): void {
    this.at = this.nameEnd + 1 + HASH_BYTES;
    this.settle();
  }

  name(): string {
    return this.bytes.toString('utf8', this.nameStart, this.nameEnd);
  }

  hash(encoding: 'hex' | 'latin1'): string {
    return this.bytes.toString(encoding, this.nameEnd + 1, this.nameEnd + 1 + HASH_BYTES);
  }

  /** Passes all entries that are the same from here on, in both. */
  skipSame(other: TreeCursor): void {
    const { bytes, at: from } = this;
    const same = sameBytes(bytes, from, other.bytes, other.at);
    let at = from;
    for (;;) {
      const zero = bytes.indexOf(0, at);
      if (zero === -1 || zero + 1 + HASH_BYTES > from + same) break;
      at = zero + 1 + HASH_BYTES;
    }
    if (at === from) return;
    other.at += at - from;
    this.at = at;
    this.settle();
    other.settle();
  }

  /** Finds where the name is; at the end, or where the rest is cut, it is over. */
  private settle(): void {
    const { bytes } = this;
    let at = this.at;
    while (at < bytes.length && bytes[at] !== 0x20) at += 1;
    this.nameStart = at + 1;
    while (at < bytes.length && bytes[at] !== 0) at += 1;
    this.nameEnd = at;
    if (at + HASH_BYTES >= bytes.length) this.isOver = true;
  }
}

/** Compared by the system, which is many times faster than a loop; in the end by a loop. */
const PIECE = 512;

function sameBytes(a: Buffer, aFrom: number, b: Buffer, bFrom: number): number {
  const most = Math.min(a.length - aFrom, b.length - bFrom);
  let same = 0;
  while (
    same + PIECE <= most &&
    a.compare(b, bFrom + same, bFrom + same + PIECE, aFrom + same, aFrom + same + PIECE) === 0
  )
    same += PIECE;
  while (same < most && a[aFrom + same] === b[bFrom + same]) same += 1;
  return same;
}

/** As git sorts: a folder as if its name ended in a slash. Folder and file of one name are the same name. */
function compareNames(a: TreeCursor, b: TreeCursor): number {
  const [aLength, bLength] = [a.nameEnd - a.nameStart, b.nameEnd - b.nameStart];
  const shared = Math.min(aLength, bLength);
  for (let at = 0; at < shared; at++) {
    const difference = (a.bytes[a.nameStart + at] ?? 0) - (b.bytes[b.nameStart + at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (aLength === bLength) return 0;
  const aNext = shared < aLength ? (a.bytes[a.nameStart + shared] ?? 0) : a.kind === 'folder' ? SLASH : 0;
  const bNext = shared < bLength ? (b.bytes[b.nameStart + shared] ?? 0) : b.kind === 'folder' ? SLASH : 0;
  return aNext - bNext || aLength - bLength;
}
