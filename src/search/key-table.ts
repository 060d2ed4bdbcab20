/** 32-bit keys to small consecutive numbers, without an object per key: open addressing in two typed arrays. */

const EMPTY = 0xffffffff;
const FIRST_SLOTS = 1024;

export class KeyTable {
  size = 0;
  private keys = new Uint32Array(FIRST_SLOTS);
  private places = new Uint32Array(FIRST_SLOTS).fill(EMPTY);

  /** The key's number; a new key gets the next one. */
  add(key: number): number {
    if (this.size * 2 >= this.keys.length) this.grow();
    const slot = this.slotOf(key);
    const place = this.places[slot] ?? EMPTY;
    if (place !== EMPTY) return place;
    this.keys[slot] = key;
    this.places[slot] = this.size;
    return this.size++;
  }

  /** -1 for a key that was never added. */
  get(key: number): number {
    const place = this.places[this.slotOf(key)] ?? EMPTY;
    return place === EMPTY ? -1 : place;
  }

  /** Where the key is, or would be. Keys are hashes: their low bits are as good as any. */
  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = key & mask;
    while (this.places[slot] !== EMPTY && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { keys, places } = this;
    this.keys = new Uint32Array(keys.length * 4);
    this.places = new Uint32Array(keys.length * 4).fill(EMPTY);
    for (let at = 0; at < keys.length; at++) {
      const place = places[at] ?? EMPTY;
      if (place === EMPTY) continue;
      const slot = this.slotOf(keys[at] ?? 0);
      this.keys[slot] = keys[at] ?? 0;
      this.places[slot] = place;
    }
  }
}
