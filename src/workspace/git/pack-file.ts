/** One of git's packs: many objects in one file, and beside it the sorted list of where each begins. Neither is trusted. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { openSource } from '../reading/read-source.ts';

/** An object as it lies in a pack: whole, or as the difference to another one. */
export interface PackedObject {
  /** 1 is a commit, 2 a folder, 6 and 7 are differences. */
  readonly type: number;
  readonly bytes: Buffer;
  /** Where in this pack the other one is; undefined for a whole object. */
  readonly baseAt: number | undefined;
}

export interface PackFile {
  /** Where an object begins; undefined if it is in no place of this pack. */
  find(hash: Buffer): number | undefined;
  /** Throws a RangeError, or what zlib throws, for what git would not have written. `spend` hears how much will be unpacked. */
  read(at: number, mostBytes: number, spend: (bytes: number) => void): PackedObject | undefined;
  close(): void;
}

/** `memory`: the list of names is read whole and stays, for one who looks for thousands of objects. */
export type NamesIn = 'file' | 'memory';

export const HASH_BYTES = 20;
const NAMES_AT = 8 + 256 * 4;
/** With its checksum and its place. */
const BYTES_PER_NAME = HASH_BYTES + 4 + 4;
const IS_LARGE = 0x80000000;
const BY_PLACE = 6;
const BY_NAME = 7;
/** The head of an object, and all of most commits. */
const FIRST_BYTES = 1_024;
/** Objects that are read one after the other lie together. */
const BLOCK_BYTES = 16 * 1024;
const MOST_BLOCKS = 256;
/** Eight million objects. A longer list is read piece by piece. */
const MOST_NAMES_BYTES = 256 * 1024 * 1024;

/** `absBase` is the path of both files without their endings. */
export function openPackFile(
  realRoot: string,
  absBase: string,
  namesIn: NamesIn = 'file',
): PackFile | undefined {
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
  const find = createFinder(index, head, namesIn);
  const part = createBlocks(pack);
  return {
    find,
    close,
    read(at, mostBytes, spend) {
      const first = part(at, FIRST_BYTES);
      let end = 0;
      let byte = first.readUInt8(end++);
      const type = (byte >> 4) & 7;
      let size = byte & 15;
      for (let shift = 4; byte >= 0x80; shift += 7) {
        byte = first.readUInt8(end++);
        size += (byte & 0x7f) * 2 ** shift;
      }
      if (size > mostBytes) return undefined;
      spend(size);
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
      const source = packed <= first.length ? first : part(at, packed);
      const rest = source.subarray(end);
      const bytes = inflateSync(rest, { maxOutputLength: Math.max(1, size) });
      return bytes.length === size ? { type, bytes, baseAt } : undefined;
    },
  };
}

function createFinder(index: number, head: Buffer, namesIn: NamesIn): PackFile['find'] {
  const countUpTo = (first: number): number => (first < 0 ? 0 : head.readUInt32BE(8 + first * 4));
  const total = countUpTo(255);
  const bytes = fstatSync(index).size - NAMES_AT;
  const whole =
    namesIn === 'memory' && bytes <= MOST_NAMES_BYTES ? readAt(index, NAMES_AT, bytes) : undefined;
  const part = (at: number, count: number): Buffer =>
    whole === undefined ? readAt(index, NAMES_AT + at, count) : whole.subarray(at, at + count);
  const compare = (hash: Buffer, number: number): number => {
    const at = number * HASH_BYTES;
    if (whole === undefined) return hash.compare(part(at, HASH_BYTES));
    // The first bytes decide nearly always.
    return hash.readUInt32BE(0) - whole.readUInt32BE(at) || hash.compare(whole, at, at + HASH_BYTES);
  };
  /** Behind the names is a checksum for each, then a place of 31 bits, or the number of one of 64 bits in the last list. */
  const placeOf = (number: number): number => {
    const placesAt = total * (HASH_BYTES + 4);
    const place = part(placesAt + number * 4, 4).readUInt32BE(0);
    if (place < IS_LARGE) return place;
    return Number(part(placesAt + total * 4 + (place - IS_LARGE) * 8, 8).readBigUInt64BE(0));
  };
  return (hash) => {
    const first = hash.readUInt8(0);
    let [low, high] = [countUpTo(first - 1), countUpTo(first)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(hash, middle);
      if (order === 0) return placeOf(middle);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  };
}

/** Pieces of the file, those that were used lately in memory. Fewer bytes at the end of the file; not to be written to. */
function createBlocks(pack: number): (at: number, count: number) => Buffer {
  const blocks = new Map<number, Buffer>();
  return (at, count) => {
    const number = Math.floor(at / BLOCK_BYTES);
    const from = at - number * BLOCK_BYTES;
    if (from + count > BLOCK_BYTES && count > FIRST_BYTES) return readAt(pack, at, count);
    let block = blocks.get(number);
    if (block === undefined) {
      // Some more: what begins in a block and is small is in it.
      block = readAt(pack, number * BLOCK_BYTES, BLOCK_BYTES + FIRST_BYTES);
      if (blocks.size >= MOST_BLOCKS) blocks.clear();
      blocks.set(number, block);
    }
    return block.subarray(from, from + count);
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
  const buffer = Buffer.allocUnsafeSlow(count);
  return buffer.subarray(0, fill(fd, buffer, at));
}

function fill(fd: number, buffer: Buffer, at: number): number {
  let length = 0;
  while (length < buffer.length) {
    const got = readSync(fd, buffer, length, buffer.length - length, at + length);
    if (got === 0) break;
    length += got;
  }
  return length;
}
