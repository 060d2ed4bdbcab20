/** Git keeps most objects as the difference to another one: parts to copy from it and bytes to put in between. Pure. */

/** What the base becomes; undefined if the difference does not fit it, or makes something larger than allowed. */
export function applyPackDelta(
  base: Buffer,
  delta: Buffer,
  mostBytes: number,
  spend: (bytes: number) => void = () => {},
): Buffer | undefined {
  const from = readLength(delta, 0);
  const to = readLength(delta, from.end);
  if (from.value !== base.length || to.value > mostBytes) return undefined;
  spend(to.value);
  const made = Buffer.alloc(to.value);
  let length = 0;
  for (let at = to.end; at < delta.length;) {
    const command = delta.readUInt8(at++);
    let part: Buffer;
    if (command < 0x80) {
      part = delta.subarray(at, at + command);
      at += command;
    } else {
      // Each bit says whether a byte of the place or the length follows; those left out are zero.
      let [start, count] = [0, 0];
      for (let bit = 0; bit < 7; bit++) {
        if ((command & (1 << bit)) === 0) continue;
        const byte = delta.readUInt8(at++);
        if (bit < 4) start += byte * 2 ** (8 * bit);
        else count += byte * 2 ** (8 * (bit - 4));
      }
      part = base.subarray(start, start + (count === 0 ? 0x10000 : count));
    }
    // Zero is a command that nobody has defined yet; without it nothing can go on for ever.
    if (part.length === 0 || length + part.length > made.length) return undefined;
    part.copy(made, length);
    length += part.length;
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
