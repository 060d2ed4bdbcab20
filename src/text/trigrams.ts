/** Which runs of three characters a file has: a file without one of those of a piece of text cannot hold it. */

const KINDS = 65_536;

/** Lower-case letters, so that one table serves searches that mind the case and those that do not. */
export function trigramsOf(text: string): Uint16Array {
  const codes = text.toLowerCase();
  const seen = new Uint8Array(KINDS);
  let size = 0;
  let [first, second] = [codes.charCodeAt(0), codes.charCodeAt(1)];
  for (let at = 2; at < codes.length; at++) {
    const third = codes.charCodeAt(at);
    const hash = hashTrigram(first, second, third);
    size += 1 - (seen[hash] ?? 0);
    seen[hash] = 1;
    first = second;
    second = third;
  }
  const found = new Uint16Array(size);
  for (let hash = 0, at = 0; at < size; hash++) if (seen[hash] === 1) found[at++] = hash;
  return found;
}

function hashTrigram(first: number, second: number, third: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) & 0xffff;
}
