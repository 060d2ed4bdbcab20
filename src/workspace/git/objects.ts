/**
 * Commits and folders as git keeps them, read without git: from files of their own and from packs. A repository is not trusted,
 * so nothing outside of it is read (not even other stores that it names), and there is a limit to what is unpacked.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Clock } from '../../core/index.ts';
import { realPath } from '../../platform/index.ts';
import { readEntries, openSource, readSource } from '../reading/read-source.ts';

export interface GitObjects {
  /** Undefined for what is not here, is something else, or is more than may be unpacked. */
  commit(hash: string): GitCommit | undefined;
  /** What a folder holds, by name. */
  tree(hash: string): ReadonlyMap<string, GitTreeEntry> | undefined;
  close(): void;
}

export interface GitCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly seconds: number;
}

export interface GitTreeEntry {
  readonly hash: string;
  readonly isFolder: boolean;
}

const TYPES = { commit: 1, tree: 2 } as const;
const MOST_OBJECT_BYTES = 8 * 1024 * 1024;
/** Of everything that one question unpacks; a second of work. Spent before the work is done: what fails has cost as much. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What it costs to look for something, whatever comes of it. */
const LOOK_BYTES = 8 * 1024;
const MOST_KEPT_BYTES = 32 * 1024 * 1024;
/** Two open files each; git itself packs anew at 50. */
const MOST_PACKS = 200;
/** As long as git allows a chain of differences to be. */
const MOST_DEPTH = 4_095;
const HASH_BYTES = 20;

/** `commonDir` is canonical. */
export function openGitObjects(commonDir: string, clock: Clock): GitObjects {
  const folder = join(commonDir, 'objects');
  const packFolder = join(folder, 'pack');
  let left = MOST_BYTES;
  const spend = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw new RangeError('This is more than one question may unpack.');
  };
  let keptBytes = 0;
  let packs: readonly { readonly file: PackFile; readonly kept: Map<number, PackedObject> }[] | undefined;
  /** Opened when the first object is not in a file of its own. */
  const openPacks = () =>
    // A link would have us list a folder outside of the repository.
    (packs ??= (realPath(packFolder) === packFolder ? readEntries(packFolder) : [])
      .filter(({ name }) => name.endsWith('.idx'))
      .slice(0, MOST_PACKS)
      .flatMap(({ name }) => {
        const file = openPackFile(commonDir, join(packFolder, name.slice(0, -4)));
        return file === undefined ? [] : [{ file, kept: new Map<number, PackedObject>() }];
      }));

  const loose = (hash: string): PackedObject | undefined => {
    const source = readSource({
      realRoot: commonDir,
      absPath: join(folder, hash.slice(0, 2), hash.slice(2)),
      maxBytes: MOST_OBJECT_BYTES,
      clock,
    });
    if (source.kind === 'skipped') return undefined;
    // How large it is shows only when it is unpacked.
    spend(MOST_OBJECT_BYTES);
    const bytes = inflateSync(source.bytes, { maxOutputLength: MOST_OBJECT_BYTES });
    left += MOST_OBJECT_BYTES - bytes.length;
    const [, type, length] = /^(commit|tree) (\d+)\0/.exec(bytes.toString('latin1', 0, 32)) ?? [];
    if (type === undefined || length === undefined) return undefined;
    return {
      type: type === 'commit' ? TYPES.commit : TYPES.tree,
      bytes: bytes.subarray(bytes.length - Number(length)),
      baseAt: undefined,
    };
  };

  /** Down to a whole object, then up again, one difference after the other. */
  const packed = (file: PackFile, kept: Map<number, PackedObject>, at: number): PackedObject | undefined => {
    const chain: { readonly at: number; readonly delta: Buffer }[] = [];
    let whole: PackedObject | undefined;
    for (let place = at; whole === undefined;) {
      spend(LOOK_BYTES);
      const found = kept.get(place) ?? file.read(place, MOST_OBJECT_BYTES, spend);
      if (found === undefined || chain.length > MOST_DEPTH) return undefined;
      if (found.baseAt === undefined) whole = found;
      else {
        chain.push({ at: place, delta: found.bytes });
        place = found.baseAt;
      }
    }
    for (const { at: place, delta } of chain.toReversed()) {
      const bytes = applyPackDelta(whole.bytes, delta, MOST_OBJECT_BYTES, spend);
      if (bytes === undefined) return undefined;
      whole = { type: whole.type, bytes, baseAt: undefined };
      // Folders of a history are differences to one another: the next one begins where this one ended.
      if ((keptBytes += bytes.length) < MOST_KEPT_BYTES) kept.set(place, whole);
    }
    return whole;
  };

  const read = (hash: string, type: number): Buffer | undefined => {
    if (left < 0) return undefined;
    try {
      spend(LOOK_BYTES);
      const own = loose(hash);
      if (own !== undefined) return own.type === type ? own.bytes : undefined;
      for (const { file, kept } of openPacks()) {
        spend(LOOK_BYTES);
        const at = file.find(Buffer.from(hash, 'hex'));
        const found = at === undefined ? undefined : packed(file, kept, at);
        if (found !== undefined) return found.type === type ? found.bytes : undefined;
      }
    } catch {
      // Cut, damaged, or made to look like one: not an object that could be read.
    }
    return undefined;
  };

  return {
    commit(hash) {
      const bytes = read(hash, TYPES.commit);
      return bytes === undefined ? undefined : parseCommit(bytes);
    },
    tree(hash) {
      const bytes = read(hash, TYPES.tree);
      return bytes === undefined ? undefined : parseTree(bytes);
    },
    close: () => packs?.forEach(({ file }) => file.close()),
  };
}

function parseCommit(bytes: Buffer): GitCommit | undefined {
  const [head = ''] = bytes.toString('latin1').split('\n\n', 1);
  const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
  if (tree === undefined) return undefined;
  return {
    tree,
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, parent = '']) => parent),
    seconds: Number(/^committer .*> (\d{1,12}) /m.exec(head)?.[1] ?? 0),
  };
}

/** Each entry: its mode in octal digits, a blank, its name, a zero, its hash. */
function parseTree(bytes: Buffer): ReadonlyMap<string, GitTreeEntry> {
  const entries = new Map<string, GitTreeEntry>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const blank = bytes.indexOf(0x20, at);
    if (end === -1 || blank === -1 || blank > end) break;
    entries.set(bytes.toString('utf8', blank + 1, end), {
      hash: bytes.toString('hex', end + 1, end + 1 + HASH_BYTES),
      isFolder: bytes.readUInt8(at) === 0x34,
    });
    at = end + 1 + HASH_BYTES;
  }
  return entries;
}

/** An object as it lies in a pack: whole, or as the difference to another one. */
interface PackedObject {
  /** 1 is a commit, 2 a folder, 6 and 7 are differences. */
  readonly type: number;
  readonly bytes: Buffer;
  /** Where in this pack the other one is; undefined for a whole object. */
  readonly baseAt: number | undefined;
}

/** One of git's packs: many objects in one file, and beside it the sorted list of where each begins. */
interface PackFile {
  /** Where an object begins; undefined if it is in no place of this pack. */
  find(hash: Buffer): number | undefined;
  /** Throws a RangeError, or what zlib throws, for what git would not have written. `spend` hears how much will be unpacked. */
  read(at: number, mostBytes: number, spend?: (bytes: number) => void): PackedObject | undefined;
  close(): void;
}

const NAMES_AT = 8 + 256 * 4;
/** With its checksum and its place. */
const BYTES_PER_NAME = HASH_BYTES + 4 + 4;
const IS_LARGE = 0x80000000;
const BY_PLACE = 6;
const BY_NAME = 7;
/** The head of an object, and all of most commits. */
const FIRST_BYTES = 1_024;

/** `absBase` is the path of both files without their endings. */
function openPackFile(realRoot: string, absBase: string): PackFile | undefined {
  const index = openSource({ realRoot, absPath: `${absBase}.idx` });
  if (index === undefined) return undefined;
  const pack = openSource({ realRoot, absPath: `${absBase}.pack` });
  const close = (): void => {
    closeSync(index);
    if (pack !== undefined) closeSync(pack);
  };
  const head = pack === undefined ? undefined : readHead(index);
  if (pack === undefined || head === undefined) {
    close();
    return undefined;
  }
  const countUpTo = (first: number): number => (first < 0 ? 0 : head.readUInt32BE(8 + first * 4));
  const total = countUpTo(255);
  const find = (hash: Buffer): number | undefined => {
    const first = hash.readUInt8(0);
    let [low, high] = [countUpTo(first - 1), countUpTo(first)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const order = hash.compare(readAt(index, NAMES_AT + middle * HASH_BYTES, HASH_BYTES));
      if (order === 0) return placeOf(middle);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  };
  /** Behind the names is a checksum for each, then a place of 31 bits, or the number of one of 64 bits in the last list. */
  const placeOf = (number: number): number => {
    const placesAt = NAMES_AT + total * (HASH_BYTES + 4);
    const place = readAt(index, placesAt + number * 4, 4).readUInt32BE(0);
    if (place < IS_LARGE) return place;
    return Number(readAt(index, placesAt + total * 4 + (place - IS_LARGE) * 8, 8).readBigUInt64BE(0));
  };

  return {
    find,
    close,
    read(at, mostBytes, spend) {
      const first = readAt(pack, at, FIRST_BYTES);
      let end = 0;
      let byte = first.readUInt8(end++);
      const type = (byte >> 4) & 7;
      let size = byte & 15;
      for (let shift = 4; byte >= 0x80; shift += 7) {
        byte = first.readUInt8(end++);
        size += (byte & 0x7f) * 2 ** shift;
      }
      if (size > mostBytes) return undefined;
      spend?.(size);
      let baseAt: number | undefined;
      if (type === BY_PLACE) {
        byte = first.readUInt8(end++);
        let back = byte & 0x7f;
        while (byte >= 0x80) {
          byte = first.readUInt8(end++);
          back = (back + 1) * 128 + (byte & 0x7f);
        }
        // Only what is before: a difference to itself would have no end.
        if (back <= 0 || back > at) return undefined;
        baseAt = at - back;
      } else if (type === BY_NAME) {
        baseAt = find(first.subarray(end, (end += HASH_BYTES)));
        if (baseAt === undefined) return undefined;
      }
      // What cannot be pressed grows by a few bytes in each block.
      const packed = end + size + (size >> 8) + 64;
      const source = packed <= first.length ? first : readAt(pack, at, packed);
      const bytes = inflateSync(source.subarray(end), { maxOutputLength: Math.max(1, size) });
      return bytes.length === size ? { type, bytes, baseAt } : undefined;
    },
  };
}

/** Of version 2 of the list; 1 has not been written since 2007. */
function readHead(index: number): Buffer | undefined {
  try {
    const head = readAt(index, 0, NAMES_AT);
    const isList = head.length === NAMES_AT && head.toString('hex', 0, 8) === 'ff744f6300000002';
    return isList && areCounts(head, fstatSync(index).size) ? head : undefined;
  } catch {
    // A disk that does not give it.
    return undefined;
  }
}

/** How many names there are up to each first byte: never fewer than before, and no more than the file has room for. */
function areCounts(head: Buffer, fileBytes: number): boolean {
  let before = 0;
  for (let at = 8; at < NAMES_AT; at += 4) {
    const count = head.readUInt32BE(at);
    if (count < before) return false;
    before = count;
  }
  return NAMES_AT + before * BYTES_PER_NAME <= fileBytes;
}

/** Fewer at the end of the file. */
function readAt(fd: number, at: number, count: number): Buffer {
  const buffer = Buffer.alloc(count);
  let length = 0;
  while (length < count) {
    const got = readSync(fd, buffer, length, count - length, at + length);
    if (got === 0) break;
    length += got;
  }
  return buffer.subarray(0, length);
}

/** A delta holds parts to copy from the base and bytes to put in between. Gives what the base becomes; undefined if the difference does not fit it, or makes something larger than allowed. */
function applyPackDelta(
  base: Buffer,
  delta: Buffer,
  mostBytes: number,
  spend: (bytes: number) => void = () => {},
): Buffer | undefined {
  const from = readLength(delta, 0);
  const to = readLength(delta, from.end);
  if (from.value !== base.length || to.value > mostBytes) return undefined;
  spend(to.value);
  const made = Buffer.alloc(to.value);
  let length = 0;
  for (let at = to.end; at < delta.length;) {
    const command = delta.readUInt8(at++);
    let part: Buffer;
    if (command < 0x80) {
      part = delta.subarray(at, at + command);
      at += command;
    } else {
      // Each bit says whether a byte of the place or the length follows; those left out are zero.
      let [start, count] = [0, 0];
      for (let bit = 0; bit < 7; bit++) {
        if ((command & (1 << bit)) === 0) continue;
        const byte = delta.readUInt8(at++);
        if (bit < 4) start += byte * 2 ** (8 * bit);
        else count += byte * 2 ** (8 * (bit - 4));
      }
      part = base.subarray(start, start + (count === 0 ? 0x10000 : count));
    }
    // Zero is a reserved command; refusing it also makes sure that the loop ends.
    if (part.length === 0 || length + part.length > made.length) return undefined;
    part.copy(made, length);
    length += part.length;
  }
  return length === made.length ? made : undefined;
}

/** Seven bits a byte, the lowest first. */
function readLength(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes.readUInt8(at);
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}
