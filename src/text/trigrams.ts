/** Which runs of three characters a file has: a file without one of those of a piece of text cannot hold it. */

/** A bit for each of 65,536 hashes. */
const WORDS = 2048;

/** Ascending. Of lower-case letters, so that one table serves searches that mind the case and those that do not. */
export function trigramsOf(text: string): Uint16Array {
  const codes = text.toLowerCase();
  const bits = new Uint32Array(WORDS);
  let size = 0;
  let first = codes.charCodeAt(0);
  let second = codes.charCodeAt(1);
  for (let at = 2; at < codes.length; at++) {
    const third = codes.charCodeAt(at);
    const hash = hashTrigram(first, second, third);
    // No pair of both: this runs for every character, at first uncompiled, where making a list is most of it.
    const word = hash >>> 5;
    const bit = 1 << (hash & 31);
    const seen = bits[word] ?? 0;
    if ((seen & bit) === 0) {
      bits[word] = seen | bit;
      size += 1;
    }
    first = second;
    second = third;
  }
  const found = new Uint16Array(size);
  let place = 0;
  for (let word = 0; word < WORDS; word++)
    // The lowest bit is taken off until none is left.
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1)
      found[place++] = word * 32 + 31 - Math.clz32(rest & -rest);
  return found;
}

function hashTrigram(first: number, second: number, third: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & 0xffff;
}
