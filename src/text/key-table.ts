/** 32-bit keys to small consecutive numbers, without an object per key: open addressing in typed arrays. */

const FIRST_SLOTS = 1024;
/** So many questions cost less by looking through all keys than giving every key its slot does. */
const FEW_QUESTIONS = 64;

export class KeyTable {
  size = 0;
  /** By number. */
  private keys: Uint32Array;
  /** A key's number plus one; 0 is free. */
  private slots: Uint32Array;
  /** How often it may still be asked before keys get their slots. */
  private unplaced = 0;

  constructor(room = FIRST_SLOTS / 2) {
    this.keys = new Uint32Array(room);
    this.slots = new Uint32Array(slotsFor(room));
  }

  /** The table in which each key has its place in the list. One that is asked a few times, as by a command, stays a list. */
  static of(keys: Uint32Array): KeyTable {
    const table = new KeyTable(0);
    table.keys = keys;
    table.size = keys.length;
    table.unplaced = FEW_QUESTIONS;
    return table;
  }

  /** Every key, by its number. */
  all(): Uint32Array {
    return this.keys.subarray(0, this.size);
  }

  /** The key's number; a new key gets the next one. */
  add(key: number): number {
    if (this.unplaced > 0) this.settle();
    if (this.size === this.keys.length) this.grow();
    const slot = this.slotOf(key);
    const found = this.slots[slot] ?? 0;
    if (found > 0) return found - 1;
    this.keys[this.size] = key;
    this.slots[slot] = ++this.size;
    return this.size - 1;
  }

  /** -1 for a key that was never added. */
  get(key: number): number {
    if (this.unplaced > 0) {
      this.unplaced -= 1;
      if (this.unplaced > 0) return this.keys.indexOf(key);
      this.settle();
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

  private settle(): void {
    this.unplaced = 0;
    this.place(slotsFor(this.size));
  }

  private grow(): void {
    const keys = new Uint32Array(Math.max(FIRST_SLOTS / 2, this.keys.length * 2));
    keys.set(this.keys);
    this.keys = keys;
    this.place(slotsFor(keys.length));
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
