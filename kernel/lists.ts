/** Lists of numbers that grow. A list is the address of what is known of it: where its numbers lie, how many there are, how many fit. */
import { moveTo, take } from './memory';

const FIRST_ROOM: u32 = 1024;
const SIZE: usize = 4;
const ROOM: usize = 8;

export function newList(): usize {
  return listOf(take(FIRST_ROOM * 4), 0, FIRST_ROOM);
}

/** Of what lies there already. */
export function listOf(numbers: usize, size: u32, room: u32): usize {
  const list = take(12);
  store<usize>(list, numbers);
  store<u32>(list, size, SIZE);
  store<u32>(list, room, ROOM);
  return list;
}

export function push(list: usize, value: u32): void {
  const size = load<u32>(list, SIZE);
  if (size === load<u32>(list, ROOM)) {
    store<u32>(list, size * 2, ROOM);
    store<usize>(list, moveTo(size * 8, load<usize>(list), size * 4));
  }
  store<u32>(load<usize>(list) + size * 4, value);
  store<u32>(list, size + 1, SIZE);
}

export function sizeOf(list: usize): u32 {
  return load<u32>(list, SIZE);
}

export function itemAt(list: usize, at: u32): u32 {
  return load<u32>(load<usize>(list) + at * 4);
}
