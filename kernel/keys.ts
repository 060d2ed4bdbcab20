/** Keys to small consecutive numbers, as `KeyTable` of src/search has them: a key's number is how many others came before it. */
import { itemAt, newList, push, sizeOf } from './lists';
import { take } from './memory';

const FIRST_SLOTS: u32 = 1024;
/** Of a table: the list of its keys, its slots, and how many of them there are, less one. A slot has a key's number plus one. */
const SLOTS: usize = 4;
const MASK: usize = 8;

export function newTable(): usize {
  const table = take(12);
  store<usize>(table, newList());
  store<usize>(table, take(FIRST_SLOTS * 4), SLOTS);
  store<u32>(table, FIRST_SLOTS - 1, MASK);
  return table;
}

export function keysOf(table: usize): usize {
  return load<usize>(table);
}

/** A new key gets the next number. Keys are hashes: their low bits are as good as any. */
export function numberOf(table: usize, key: u32): u32 {
  const keys = keysOf(table);
  const slots = load<usize>(table, SLOTS);
  const mask = load<u32>(table, MASK);
  let slot = key & mask;
  for (;;) {
    const found = load<u32>(slots + slot * 4);
    if (found === 0) break;
    if (itemAt(keys, found - 1) === key) return found - 1;
    slot = (slot + 1) & mask;
  }
  const number = sizeOf(keys);
  push(keys, key);
  store<u32>(slots + slot * 4, number + 1);
  if ((number + 1) * 2 > mask) grow(table, (mask + 1) * 4);
  return number;
}

function grow(table: usize, count: u32): void {
  const keys = keysOf(table);
  const size = sizeOf(keys);
  const slots = take(count * 4);
  const mask = count - 1;
  for (let at: u32 = 0; at < size; at++) {
    let slot = itemAt(keys, at) & mask;
    while (load<u32>(slots + slot * 4) !== 0) slot = (slot + 1) & mask;
    store<u32>(slots + slot * 4, at + 1);
  }
  store<usize>(table, slots, SLOTS);
  store<u32>(table, mask, MASK);
}
