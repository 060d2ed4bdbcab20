/** Sorts numbers with a number beside each: eleven bits at a time, so that three rounds do. */
import { take } from './memory';

const COUNTS: usize = memory.data(2048 * 4, 4);
let other: usize = take(16_384);
let otherBytes: usize = 16_384;

/** Pairs of numbers, by the first of each, ascending. Where they lie then: the given place, or another one that is free until the next call. */
export function sortPairs(given: usize, count: u32): usize {
  const bytes = <usize>count * 8;
  if (bytes > otherBytes) {
    otherBytes = bytes * 2;
    other = take(otherBytes);
  }
  let from = given;
  let to = other;
  for (let shift: u32 = 0; shift < 32; shift += 11) {
    memory.fill(COUNTS, 0, 2048 * 4);
    const end = from + bytes;
    for (let pair = from; pair < end; pair += 8) {
      const counter = COUNTS + ((load<u32>(pair) >>> shift) & 2047) * 4;
      store<u32>(counter, load<u32>(counter) + 1);
    }
    let place: u32 = 0;
    for (let counter = COUNTS; counter < COUNTS + 2048 * 4; counter += 4) {
      const size = load<u32>(counter);
      store<u32>(counter, place);
      place += size;
    }
    for (let pair = from; pair < end; pair += 8) {
      const both = load<u64>(pair);
      const counter = COUNTS + ((<u32>both >>> shift) & 2047) * 4;
      const free = load<u32>(counter);
      store<u32>(counter, free + 1);
      store<u64>(to + <usize>free * 8, both);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}
