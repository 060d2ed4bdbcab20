/** Small numbers in few bytes, as `ByteReader` of src/storage reads them: seven bits at a time, the high bit says that more follow. */
import { take } from './memory';

export let out: usize = take(65_536);
let outRoom: usize = 65_536;
let at: usize = 0;

/** Begins anew. What is written then takes no more than this. */
export function beginWriting(mostBytes: usize): void {
  if (mostBytes > outRoom) {
    outRoom = mostBytes * 2;
    out = take(outRoom);
  }
  at = out;
}

export function writeNumber(value: u32): void {
  let rest = value;
  while (rest > 127) {
    store<u8>(at++, <u8>((rest & 127) | 128));
    rest >>>= 7;
  }
  store<u8>(at++, <u8>rest);
}

/** The most that a number takes. */
export const NUMBER_BYTES: usize = 5;

export function writtenBytes(): u32 {
  return <u32>(at - out);
}
