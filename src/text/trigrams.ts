/** Which runs of three characters a file has: a file without one of those of a piece of text cannot hold it. */

/** Lower-case letters, so that one table serves searches that mind the case and those that do not. */
export function trigramsOf(text: string): Uint16Array {
  const seen = new Uint8Array(65_536);
  const found: number[] = [];
  const codes = text.toLowerCase();
  for (let at = 2; at < codes.length; at++) {
    const hash = hashTrigram(codes.charCodeAt(at - 2), codes.charCodeAt(at - 1), codes.charCodeAt(at));
    if (seen[hash] !== 0) continue;
    seen[hash] = 1;
    found.push(hash);
  }
  return Uint16Array.from(found).sort();
}

function hashTrigram(first: number, second: number, third: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & 0xffff;
}
