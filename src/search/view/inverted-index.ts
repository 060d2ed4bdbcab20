/** The parts of an inverted index in typed arrays: hashes to term numbers, and each term's posting list. kernel/documents.ts packs the lists. */
import type { BuiltPostings } from '../../kernel/index.ts';

const FIRST_SLOTS = 1024;
/** So many questions cost less by looking through all keys than giving every key its slot does. */
const FEW_QUESTIONS = 64;

export class KeyTable {
  readonly size: number;
  /** By number. */
  private readonly keys: Uint32Array;
  /** A key's number plus one; 0 is free. */
  private slots = new Uint32Array(0);
  /** How often it may still be asked before keys get their slots. */
  private unplaced = FEW_QUESTIONS;

  /** Each key, all of them distinct, has its place in the list as its number. One that is asked a few times, as by a command, stays a list. */
  constructor(keys: Uint32Array) {
    this.keys = keys;
    this.size = keys.length;
  }

  /** Every key, by its number. */
  all(): Uint32Array {
    return this.keys;
  }

  /** -1 for a key that is not there. */
  get(key: number): number {
    if (this.unplaced > 0) {
      this.unplaced -= 1;
      if (this.unplaced > 0) return this.keys.indexOf(key);
      this.place(slotsFor(this.size));
    }
    return (this.slots[this.slotOf(key)] ?? 0) - 1;
  }

  /** Where the key is, or would be. Keys are hashes: their low bits are as good as any. */
  private slotOf(key: number): number {
    const { keys, slots } = this;
    const mask = slots.length - 1;
    let slot = key & mask;
    for (let found = slots[slot] ?? 0; found > 0 && keys[found - 1] !== key; found = slots[slot] ?? 0)
      slot = (slot + 1) & mask;
    return slot;
  }

  /** Keys are distinct: each goes to the next free slot. */
  private place(count: number): void {
    const { keys, size } = this;
    const slots = new Uint32Array(count);
    const mask = count - 1;
    for (let at = 0; at < size; at++) {
      let slot = (keys[at] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = at + 1;
    }
    this.slots = slots;
  }
}

/** At least twice as many as there are keys. */
function slotsFor(keys: number): number {
  let slots = FIRST_SLOTS;
  while (slots < keys * 2) slots *= 2;
  return slots;
}

/**
 * One list per term, in a byte or two for each document: how many there are, then for each the gap to the one before it with
 * its count in the two lowest bits; a count above 3 follows as a number of its own. Numbers have seven bits in a byte, the lowest
 * first. A quarter of the memory that plain numbers take, and no slower to read.
 */
export type Postings = BuiltPostings;

const NO_DOCUMENTS = new Uint32Array(0);
const NO_COUNTS = new Uint8Array(0);

/** Where a list is read to; used again for the next one. */
export class PostingList {
  size = 0;
  documents = NO_DOCUMENTS;
  counts = NO_COUNTS;

  /** Empty for a term that is not there. */
  read({ offsets, bytes }: Postings, term: number): this {
    this.size = 0;
    if (term < 0) return this;
    let at = offsets[term] ?? 0;
    if (at === (offsets[term + 1] ?? 0)) return this;
    let byte = 0;
    let value = 0;
    let shift = 0;
    do {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    const size = value;
    if (this.documents.length < size) this.grow(size);
    const { documents, counts } = this;
    let document = 0;
    for (let place = 0; place < size; place++) {
      byte = bytes[at++] ?? 0;
      value = byte & 127;
      for (shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      document += value >>> 2;
      documents[place] = document;
      let count = (value & 3) + 1;
      if (count > 3) {
        // It fits in two bytes: counts end at 255.
        byte = bytes[at++] ?? 0;
        count = 4 + (byte & 127);
        if (byte > 127) count += (bytes[at++] ?? 0) << 7;
      }
      counts[place] = count;
    }
    this.size = size;
    return this;
  }

  private grow(size: number): void {
    this.documents = new Uint32Array(size + (size >> 1));
    this.counts = new Uint8Array(size + (size >> 1));
  }
}

/** How many documents a term is in. */
export function postingCount({ offsets, bytes }: Postings, term: number): number {
  if (term < 0) return 0;
  let at = offsets[term] ?? 0;
  if (at === (offsets[term + 1] ?? 0)) return 0;
  let byte = 0;
  let value = 0;
  let shift = 0;
  do {
    byte = bytes[at++] ?? 0;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value;
}

export class GrowingNumbers {
  length = 0;
  private values = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** What was pushed so far, until more is. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }

  /** A copy of exactly what was pushed. */
  done(): Uint32Array {
    return this.values.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint32Array(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}
