/** Hashes of the names of a file, to find the files that hold a name without looking through each. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a of its UTF-8. */
export function hashName(name: string): number {
  let hash = BASIS;
  for (const byte of Buffer.from(name, 'utf8')) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/** Of names with a zero before, between and after them. */
export function hashNames(names: Uint8Array): Uint32Array {
  const hashes = new Uint32Array(names.length);
  let count = -1;
  let hash = BASIS;
  for (let at = 0; at < names.length; at++) {
    const byte = names[at] ?? 0;
    if (byte !== 0) hash = Math.imul(hash ^ byte, PRIME);
    else {
      if (count >= 0) hashes[count] = hash;
      count++;
      hash = BASIS;
    }
  }
  return hashes.slice(0, Math.max(0, count));
}
