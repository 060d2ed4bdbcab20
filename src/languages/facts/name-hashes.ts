/** Hashes of the names of a file, to find the files that hold a name without looking through each. */
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193];

/** FNV-1a of its UTF-8. */
export function hashName(name: string): number {
  let hash = BASIS;
  for (const byte of Buffer.from(name, 'utf8')) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/** Of names with a zero before, between and after them. */
export function hashNames(names: Uint8Array): Uint32Array {
  let count = 0;
  for (const byte of names) if (byte === 0) count++;
  const hashes = new Uint32Array(Math.max(0, count - 1));
  let [at, hash] = [-1, BASIS];
  for (const byte of names)
    if (byte === 0) {
      if (at >= 0) hashes[at] = hash >>> 0;
      at++;
      hash = BASIS;
    } else hash = Math.imul(hash ^ byte, PRIME);
  return hashes;
}
