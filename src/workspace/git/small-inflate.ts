/**
 * Unpacks what zlib packed, for small objects whose size is known. Setting up the system's zlib takes ten times as long as a commit
 * or a difference of folders needs, and a history has hundreds of thousands of them.
 */

const MOST_BITS = 15;
/** Codes up to this length are looked up, longer ones read bit by bit. */
const TABLE_BITS = 9;
const LITERALS = 288;
const DISTANCES = 30;
const END = 256;
/** Each number of so many bits, its lowest bit first. */
const REVERSED = Uint16Array.from({ length: 1 << TABLE_BITS }, (_, code) => {
  let out = 0;
  for (let at = 0; at < TABLE_BITS; at++) out |= ((code >> at) & 1) << (TABLE_BITS - 1 - at);
  return out;
});
/** In this order the lengths of codes for lengths of codes are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

/** A canonical code: how many codes there are of each length, and what they stand for, in their order. */
class Code {
  readonly counts = new Uint16Array(MOST_BITS + 1);
  readonly symbols: Uint16Array;
  /** By the next bits: a symbol times 16 plus the length of its code; 0 where the code is longer. */
  readonly table = new Uint16Array(1 << TABLE_BITS);
  private readonly offsets = new Uint16Array(MOST_BITS + 1);

  constructor(most: number) {
    this.symbols = new Uint16Array(most);
  }

  set(lengths: Uint8Array, from: number, count: number): void {
    const { counts, symbols, offsets } = this;
    counts.fill(0);
    for (let at = 0; at < count; at++) {
      const length = lengths[from + at] ?? 0;
      counts[length] = (counts[length] ?? 0) + 1;
    }
    let free = 1;
    for (let bits = 1; bits <= MOST_BITS; bits++) {
      free = free * 2 - (counts[bits] ?? 0);
      if (free < 0) throw new RangeError('More codes than there can be.');
    }
    offsets[1] = 0;
    for (let bits = 1; bits < MOST_BITS; bits++)
      offsets[bits + 1] = (offsets[bits] ?? 0) + (counts[bits] ?? 0);
    for (let at = 0; at < count; at++) {
      const length = lengths[from + at] ?? 0;
      if (length === 0) continue;
      const place = offsets[length] ?? 0;
      symbols[place] = at;
      offsets[length] = place + 1;
    }
    this.fillTable();
  }

  private fillTable(): void {
    const { counts, symbols, table } = this;
    table.fill(0);
    let [code, index] = [0, 0];
    for (let bits = 1; bits <= TABLE_BITS; bits++) {
      for (let count = counts[bits] ?? 0; count > 0; count--, code++, index++) {
        const entry = ((symbols[index] ?? 0) << 4) | bits;
        // Codes come with their highest bit first, all else with the lowest.
        for (let at = (REVERSED[code] ?? 0) >> (TABLE_BITS - bits); at < table.length; at += 1 << bits)
          table[at] = entry;
      }
      code <<= 1;
    }
  }
}

interface Codes {
  readonly literal: Code;
  readonly distance: Code;
}

function fixedCodes(): Codes {
  const lengths = new Uint8Array(LITERALS).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  const codes: Codes = { literal: new Code(LITERALS), distance: new Code(DISTANCES) };
  codes.literal.set(lengths, 0, LITERALS);
  codes.distance.set(lengths.fill(5), 0, DISTANCES);
  return codes;
}

/** Keeps its tables from one call to the next. */
export class SmallInflate {
  private readonly lengths = new Uint8Array(LITERALS + DISTANCES + 2);
  private readonly own: Codes = { literal: new Code(LITERALS), distance: new Code(DISTANCES) };
  private readonly fixed = fixedCodes();
  private source: Uint8Array = new Uint8Array();
  private at = 0;
  private held = 0;
  private heldBits = 0;

  /** Throws a RangeError for what zlib would not have written, and for what is not of this size. */
  unpack(source: Uint8Array, size: number): Buffer {
    if (((source[0] ?? 0) & 15) !== 8 || (((source[0] ?? 0) << 8) | (source[1] ?? 0)) % 31 !== 0)
      throw new RangeError('This was not packed by zlib.');
    [this.source, this.at, this.held, this.heldBits] = [source, 2, 0, 0];
    const out = Buffer.allocUnsafe(size);
    let length = 0;
    for (let isLast = 0; isLast === 0;) {
      isLast = this.bits(1);
      const type = this.bits(2);
      if (type === 0) length = this.copyPlain(out, length);
      else {
        if (type === 2) this.readCodes();
        else if (type !== 1) throw new RangeError('There is no such block.');
        length = this.unpackBlock(out, length, type === 1 ? this.fixed : this.own);
      }
    }
    if (length !== size) throw new RangeError('It has another size.');
    return out;
  }

  private bits(count: number): number {
    let { held, heldBits } = this;
    while (heldBits < count) {
      if (this.at >= this.source.length) throw new RangeError('It is cut.');
      held |= (this.source[this.at++] ?? 0) << heldBits;
      heldBits += 8;
    }
    this.held = held >>> count;
    this.heldBits = heldBits - count;
    return held & ((1 << count) - 1);
  }

  private symbol({ counts, symbols, table }: Code): number {
    let { held, heldBits } = this;
    while (heldBits < TABLE_BITS && this.at < this.source.length) {
      held |= (this.source[this.at++] ?? 0) << heldBits;
      heldBits += 8;
    }
    const entry = table[held & ((1 << TABLE_BITS) - 1)] ?? 0;
    const used = entry & 15;
    if (used > 0 && used <= heldBits) {
      this.held = held >>> used;
      this.heldBits = heldBits - used;
      return entry >> 4;
    }
    let [code, first, index] = [0, 0, 0];
    for (let bits = 1; bits <= MOST_BITS; bits++) {
      if (heldBits === 0) {
        if (this.at >= this.source.length) throw new RangeError('It is cut.');
        held = this.source[this.at++] ?? 0;
        heldBits = 8;
      }
      code |= held & 1;
      held >>>= 1;
      heldBits -= 1;
      const count = counts[bits] ?? 0;
      if (code - count < first) {
        this.held = held;
        this.heldBits = heldBits;
        return symbols[index + code - first] ?? 0;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('There is no such code.');
  }

  private unpackBlock(out: Buffer, from: number, { literal, distance: distances }: Codes): number {
    let length = from;
    for (;;) {
      const symbol = this.symbol(literal);
      if (symbol === END) return length;
      if (length >= out.length) throw new RangeError('It is larger.');
      if (symbol < END) {
        out[length++] = symbol;
        continue;
      }
      const base = LENGTH_BASE[symbol - END - 1];
      if (base === undefined) throw new RangeError('There is no such length.');
      const count = base + this.bits(LENGTH_BITS[symbol - END - 1] ?? 0);
      const far = this.symbol(distances);
      const distance = (DISTANCE_BASE[far] ?? Infinity) + this.bits(DISTANCE_BITS[far] ?? 0);
      if (distance > length || length + count > out.length) throw new RangeError('It leads out.');
      for (const end = length + count; length < end; length++) out[length] = out[length - distance] ?? 0;
    }
  }

  private copyPlain(out: Buffer, from: number): number {
    const { source } = this;
    // What is left of the byte, and whole bytes that were taken too early.
    this.at -= this.heldBits >> 3;
    [this.held, this.heldBits] = [0, 0];
    const [low = 0, high = 0, notLow = 0, notHigh = 0] = source.subarray(this.at, this.at + 4);
    const count = low | (high << 8);
    const isCount = count === (~(notLow | (notHigh << 8)) & 0xffff);
    this.at += 4;
    if (!isCount || from + count > out.length || this.at + count > source.length)
      throw new RangeError('There is no such piece.');
    out.set(source.subarray(this.at, this.at + count), from);
    this.at += count;
    return from + count;
  }

  private readCodes(): void {
    const { lengths, own } = this;
    const [literals, distances, written] = [this.bits(5) + 257, this.bits(5) + 1, this.bits(4) + 4];
    if (literals > LITERALS - 2 || distances > DISTANCES) throw new RangeError('There are too many codes.');
    lengths.fill(0, 0, ORDER.length);
    for (let at = 0; at < written; at++) lengths[ORDER[at] ?? 0] = this.bits(3);
    own.literal.set(lengths, 0, ORDER.length);
    for (let at = 0; at < literals + distances;) {
      const symbol = this.symbol(own.literal);
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      if (symbol === 16 && at === 0) throw new RangeError('There is nothing to repeat.');
      const value = symbol === 16 ? (lengths[at - 1] ?? 0) : 0;
      const count = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
      if (at + count > literals + distances) throw new RangeError('There are too many codes.');
      lengths.fill(value, at, at + count);
      at += count;
    }
    if (lengths[END] === 0) throw new RangeError('It has no end.');
    own.literal.set(lengths, 0, literals);
    own.distance.set(lengths, literals, distances);
  }
}
