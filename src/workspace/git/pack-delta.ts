/** Git's differences between objects: parts to copy from a base, and bytes to put in between. */

/** Gives what the base becomes; undefined if the difference does not fit it, or makes something larger than allowed. `spend` hears how much will be made. */
export function applyPackDelta(
  base: Buffer,
  delta: Buffer,
  mostBytes: number,
  spend: (bytes: number) => void,
): Buffer | undefined {
  const from = readLength(delta, 0);
  const to = readLength(delta, from.end);
  if (from.value !== base.length || to.value > mostBytes) return undefined;
  spend(to.value);
  const made = Buffer.allocUnsafe(to.value);
  let length = 0;
  for (let at = to.end; at < delta.length;) {
    const command = delta[at++] ?? 0;
    let source = base;
    let [start, count] = [0, 0];
    if (command < 0x80) {
      [source, start, count] = [delta, at, command];
      at += command;
    } else {
      // Each bit says whether a byte of the place or the length follows; those left out are zero.
      for (let bit = 0; bit < 7; bit++) {
        if ((command & (1 << bit)) === 0) continue;
        const byte = delta[at++] ?? 0;
        if (bit < 4) start += byte * 2 ** (8 * bit);
        else count += byte * 2 ** (8 * (bit - 4));
      }
      if (count === 0) count = 0x10000;
    }
    // Zero is a reserved command; refusing it also makes sure that the loop ends.
    if (count === 0 || start + count > source.length || length + count > made.length) return undefined;
    source.copy(made, length, start, start + count);
    length += count;
  }
  return length === made.length ? made : undefined;
}

/** Seven bits a byte, the lowest first. */
function readLength(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from; ; at++) {
    const byte = bytes.readUInt8(at);
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}
