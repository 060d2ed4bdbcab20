/** Which runs of three characters a text has, by the hashes of `trigramsOf` in src/text. */
import { beginWriting, NUMBER_BYTES, writeNumber } from './writer';

/** A bit for each of 65,536 hashes. */
const WORDS: u32 = 2048;
const BITS: usize = memory.data(8192, 4);

/** Writes them, ascending, as gaps. The text is in lower case. */
export function writeTrigrams(text: usize, units: u32): void {
  memory.fill(BITS, 0, WORDS * 4);
  let count: u32 = 0;
  if (units >= 3) {
    let first = <u32>load<u16>(text) * 0x9e3779b1;
    let secondCode = <u32>load<u16>(text, 2);
    const end = text + units * 2;
    for (let at = text + 4; at < end; at += 2) {
      const third = <u32>load<u16>(at);
      const mixed = first ^ (secondCode * 0x85ebca6b) ^ (third * 0xc2b2ae35);
      const hash = (mixed ^ (mixed >>> 15)) & 0xffff;
      const word = BITS + (hash >>> 5) * 4;
      const bit = (<u32>1) << (hash & 31);
      const before = load<u32>(word);
      store<u32>(word, before | bit);
      count += <u32>((before & bit) === 0);
      first = secondCode * 0x9e3779b1;
      secondCode = third;
    }
  }
  beginWriting((<usize>count + 1) * NUMBER_BYTES);
  writeNumber(count);
  let last: u32 = 0;
  for (let word: u32 = 0; word < WORDS; word++)
    for (let rest = load<u32>(BITS + word * 4); rest !== 0; rest &= rest - 1) {
      const hash = word * 32 + ctz(rest);
      writeNumber(hash - last);
      last = hash;
    }
}
