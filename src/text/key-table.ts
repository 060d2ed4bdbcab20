/** 32-bit keys to small consecutive numbers, without an object per key: open addressing in typed arrays. */

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
