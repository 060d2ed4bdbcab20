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

  /** `bytes`: the words, most frequent first, joined with line ends. */
  constructor(bytes: Uint8Array) {
    const starts = [0];
    let slots = 1024;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_END) starts.push(at + 1);
    starts.push(bytes.length + 1);
    this.size = starts.length - 1;
    while (slots < this.size * 2) slots *= 2;
    this.bytes = bytes;
    this.starts = Uint32Array.from(starts);
    this.slots = new Uint32Array(slots);
    this.longest = this.place();
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

  /** Gives every word its slot; the length of the longest. */
  private place(): number {
    const { bytes, starts, slots, size } = this;
    const mask = slots.length - 1;
    let longest = 0;
    for (let rank = 0; rank < size; rank++) {
      const from = starts[rank] ?? 0;
      const end = (starts[rank + 1] ?? 0) - 1;
      longest = Math.max(longest, end - from);
      let hash = FNV_START;
      for (let at = from; at < end; at++) hash = mixIn(hash, bytes[at] ?? 0);
      let slot = slotOf(hash, mask);
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = rank + 1;
    }
    return longest;
  }
}

function mixIn(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME);
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}
