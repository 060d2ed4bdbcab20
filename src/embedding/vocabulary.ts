/** The model's words and their ranks, found by their letters: no string is made for a piece of a word that is only tried. */

const [FNV_START, FNV_PRIME] = [0x811c9dc5, 0x01000193];
const LINE_END = 10;

export class Vocabulary {
  readonly size: number;
  /** Letters of the longest word. */
  readonly longest: number;
  private readonly bytes: Uint8Array;
  /** Where each word begins; one more entry than there are words, as if a line end followed the last. */
  private readonly starts: Uint32Array;
  /** A rank plus one; 0 is free. */
  private readonly slots: Uint32Array;

  /** `bytes`: the words, most frequent first, joined with line ends; `size`: how many they should be. */
  constructor(bytes: Uint8Array, size: number) {
    let slots = 1024;
    while (slots < size * 2) slots *= 2;
    this.bytes = bytes;
    this.starts = new Uint32Array(size + 1);
    this.slots = new Uint32Array(slots);
    let rank = 0;
    let from = 0;
    let hash = FNV_START;
    let longest = 0;
    // Once over all letters: every process does it before its first answer, in code that has not been optimized yet.
    for (let at = 0; at <= bytes.length; at++) {
      const byte = bytes[at] ?? LINE_END;
      if (byte !== LINE_END) {
        hash = mixIn(hash, byte);
        continue;
      }
      if (rank < size) this.place(hash, rank);
      if (at - from > longest) longest = at - from;
      rank += 1;
      from = at + 1;
      hash = FNV_START;
      if (rank <= size) this.starts[rank] = from;
    }
    this.size = rank;
    this.longest = longest;
  }

  /** The rank of a word, or of a part of it; -1 for one that is not there. */
  rankOf(word: string, start = 0, end = word.length): number {
    let hash = FNV_START;
    for (let at = start; at < end; at++) hash = mixIn(hash, word.charCodeAt(at));
    return this.find(hash, word, start, end);
  }

  /** Ranks of all that begins at a place in a word: `visit` gets each with its end. */
  eachFrom(word: string, start: number, visit: (rank: number, end: number) => void): void {
    let hash = FNV_START;
    const last = Math.min(word.length, start + this.longest);
    for (let end = start + 1; end <= last; end++) {
      hash = mixIn(hash, word.charCodeAt(end - 1));
      const rank = this.find(hash, word, start, end);
      if (rank >= 0) visit(rank, end);
    }
  }

  private find(hash: number, word: string, start: number, end: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = slotOf(hash, mask); ; slot = (slot + 1) & mask) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0 || this.isWord(rank, word, start, end)) return rank;
    }
  }

  private isWord(rank: number, word: string, start: number, end: number): boolean {
    const { bytes, starts } = this;
    const from = starts[rank] ?? 0;
    if ((starts[rank + 1] ?? 0) - 1 - from !== end - start) return false;
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== word.charCodeAt(at)) return false;
    return true;
  }

  private place(hash: number, rank: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = slotOf(hash, mask);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = rank + 1;
  }
}

function mixIn(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME);
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}
