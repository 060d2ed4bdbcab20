/** Which runs of three characters a text has, by their hashes: a file without one of those of a piece of text cannot hold it. */
import { beginWriting, NUMBER_BYTES, writeNumber } from './writer';

export const TRIGRAM_HASHES: u32 = 65_536;
/** A bit for each hash. */
const WORDS: u32 = TRIGRAM_HASHES / 32;
const BITS: usize = memory.data(8192, 4);

/** The text is in lower case, so that one table serves searches that mind the case and those that do not. Gives how many hashes there are. */
export function markTrigrams(text: usize, units: u32): u32 {
  memory.fill(BITS, 0, WORDS * 4);
  let count: u32 = 0;
  if (units < 3) return 0;
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
  return count;
}

/** The smallest hash of the text from this one on; `TRIGRAM_HASHES` if there is none. */
export function nextTrigram(from: u32): u32 {
  let word = from >>> 5;
  if (word >= WORDS) return TRIGRAM_HASHES;
  let rest = load<u32>(BITS + word * 4) & ((<u32>-1) << (from & 31));
  while (rest === 0) {
    word += 1;
    if (word >= WORDS) return TRIGRAM_HASHES;
    rest = load<u32>(BITS + word * 4);
  }
  return word * 32 + ctz(rest);
}

/** Writes them, ascending, as gaps. */
export function writeTrigrams(text: usize, units: u32): void {
  const count = markTrigrams(text, units);
  beginWriting((<usize>count + 1) * NUMBER_BYTES);
  writeNumber(count);
  let last: u32 = 0;
  for (let hash = nextTrigram(0); hash < TRIGRAM_HASHES; hash = nextTrigram(hash + 1)) {
    writeNumber(hash - last);
    last = hash;
  }
}
