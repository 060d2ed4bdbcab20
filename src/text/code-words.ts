/**
 * The words of code, each with a number. Code repeats its words: a text is read byte by byte, and only a word that was never seen
 * is made a string and taken apart. Counting the words of a text is then counting numbers.
 */
import { KeyTable } from './key-table.ts';
import { MAX_IDENTIFIER, splitIdentifier } from './tokens.ts';
import { stem } from './stem.ts';
import { hashWord } from './word-hash.ts';

/** The different words of a text, in the order in which they first occur, and how often each does. */
export interface WordCounts {
  readonly words: Uint32Array;
  readonly counts: Uint32Array;
}

const SHORTEST_REFERENCE = 5;
const FIRST_SLOTS = 8192;
/** Bytes of all words together. Longer ones than any name are rare, but they are in somebody's file. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Short parts make more terms than words: those of one more file, a megabyte at most, still have numbers below 2²¹. */
const MOST_TERMS = 1_000_000;
const [FNV_START, FNV_PRIME] = [0x811c9dc5, 0x01000193];
const LEADING_DIGITS = /^[0-9]+/;
const NINE = 57;

/** 1 for letters, digits and `_`; every other byte of UTF-8 ends a word. */
const IS_WORD = Uint8Array.from({ length: 256 }, (_, code) =>
  /^\w$/.test(String.fromCharCode(code)) ? 1 : 0,
);

export class CodeWords {
  /** How many words there are; their numbers are below. */
  size = 0;
  private readonly most: number;
  private text = Buffer.allocUnsafe(65_536);
  private sequence = new Uint32Array(32_768);
  private slots = new Uint32Array(FIRST_SLOTS);
  private hashes = new Uint32Array(FIRST_SLOTS);
  /** Where the letters of a word begin; one more entry than there are words. */
  private starts = new Uint32Array(FIRST_SLOTS + 1);
  private letters = Buffer.allocUnsafe(65_536);
  /** The numbers of all words' terms, one after the other; those of a word begin at its place in `termStarts`. */
  private termList = new Uint32Array(FIRST_SLOTS * 2);
  private termStarts = new Uint32Array(FIRST_SLOTS + 1);
  private identifiers = new Uint32Array(FIRST_SLOTS);
  /** Hashes of terms, by their numbers. */
  private termTable = new KeyTable();
  /** Numbers of terms by the part of an identifier they are the stem of: the same few thousand parts make up all identifiers. */
  private readonly termsOfParts = new Map<string, number>();
  /** How often each word is in the text that is being counted; all 0 between texts. */
  private seen = new Uint32Array(FIRST_SLOTS);

  /** `most`: how many words are remembered, until `makeRoom`. */
  constructor(most: number) {
    this.most = most;
  }

  /** Forgets every word if there are too many. Numbers that were given before mean nothing then. False if all stayed. */
  makeRoom(): boolean {
    const isFull = this.size >= this.most || this.termCount >= MOST_TERMS;
    if (!isFull && (this.starts[this.size] ?? 0) < MOST_BYTES) return false;
    this.size = 0;
    // As many as there were: the other tables have grown with them.
    this.slots.fill(0);
    this.termTable = new KeyTable();
    this.termsOfParts.clear();
    return true;
  }

  /** The numbers of a text's words, in order. */
  read(text: string): Uint32Array {
    const size = this.scan(text);
    return this.sequence.slice(0, size);
  }

  count(text: string): WordCounts {
    const length = this.scan(text);
    const { sequence, seen } = this;
    let size = 0;
    for (let at = 0; at < length; at++) {
      const word = sequence[at] ?? 0;
      const before = seen[word] ?? 0;
      // What was read is not needed again: the different words move to the front.
      if (before === 0) sequence[size++] = word;
      seen[word] = before + 1;
    }
    const words = sequence.slice(0, size);
    const counts = new Uint32Array(size);
    for (let at = 0; at < size; at++) {
      const word = words[at] ?? 0;
      counts[at] = seen[word] ?? 0;
      seen[word] = 0;
    }
    return { words, counts };
  }

  /** As it is written. */
  textOf(word: number): string {
    return this.letters.toString('latin1', this.starts[word], this.starts[word + 1]);
  }

  /** Numbers of a word's terms: the whole identifier, then its parts. */
  termsOf(word: number): Uint32Array {
    return this.termList.subarray(this.termStarts[word], this.termStarts[word + 1]);
  }

  /** The same without an object: terms of all words, and where those of a word begin; they end where the next word's do. */
  get allTerms(): { readonly list: Uint32Array; readonly starts: Uint32Array } {
    return { list: this.termList, starts: this.termStarts };
  }

  /** Hash of the identifier, 0 if it is too short to name anything in particular. */
  identifierOf(word: number): number {
    return this.identifiers[word] ?? 0;
  }

  /** By the numbers of terms. */
  get termHashes(): Uint32Array {
    return this.termTable.all();
  }

  get termCount(): number {
    return this.termTable.size;
  }

  /** Reads the words of a text into `sequence`; gives how many there are. */
  private scan(text: string): number {
    // Three bytes for a code unit at most, and one that ends the last word.
    if (this.text.length <= text.length * 3) this.text = Buffer.allocUnsafe(text.length * 4);
    const bytes = this.text;
    const size = bytes.write(text);
    bytes[size] = 0;
    if (this.sequence.length * 2 <= size) this.sequence = new Uint32Array(size);
    const { sequence } = this;
    // All of this is in one piece, and in variables of its own, because it is done for every word of every file.
    let { slots, hashes, starts, letters } = this;
    let count = 0;
    for (let at = 0; at < size;) {
      if (IS_WORD[bytes[at] ?? 0] === 0) {
        at += 1;
        continue;
      }
      const start = at;
      let hash = FNV_START;
      do hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
      while (IS_WORD[bytes[++at] ?? 0] !== 0);
      hash >>>= 0;
      const length = at - start;
      const mask = slots.length - 1;
      let slot = (hash ^ (hash >>> 15)) & mask;
      let word = (slots[slot] ?? 0) - 1;
      while (word >= 0) {
        const from = starts[word] ?? 0;
        if (hashes[word] === hash && (starts[word + 1] ?? 0) - from === length) {
          let same = 0;
          while (same < length && bytes[start + same] === letters[from + same]) same += 1;
          if (same === length) break;
        }
        slot = (slot + 1) & mask;
        word = (slots[slot] ?? 0) - 1;
      }
      if (word < 0) {
        slots[slot] = this.size + 1;
        word = this.add(start, at, hash);
        ({ slots, hashes, starts, letters } = this);
      }
      sequence[count++] = word;
    }
    return count;
  }

  private add(start: number, end: number, hash: number): number {
    const word = this.size++;
    const from = word === 0 ? 0 : (this.starts[word] ?? 0);
    const to = from + end - start;
    if (to > this.letters.length) this.letters = Buffer.concat([this.letters], to * 2);
    this.text.copy(this.letters, from, start, end);
    this.starts[word] = from;
    this.starts[word + 1] = to;
    this.hashes[word] = hash;
    const text = this.textOf(word);
    const identifier = text.charCodeAt(0) > NINE ? text : text.replace(LEADING_DIGITS, '');
    this.identifiers[word] = identifier.length >= SHORTEST_REFERENCE ? hashWord(identifier) : 0;
    this.addTerms(word, identifier);
    if (this.size * 2 > this.slots.length) this.grow();
    return word;
  }

  /** The same terms as `tokensOf` gives of it. */
  private addTerms(word: number, identifier: string): void {
    let last = word === 0 ? 0 : (this.termStarts[word] ?? 0);
    this.termStarts[word] = last;
    if (identifier !== '' && identifier.length <= MAX_IDENTIFIER) {
      const parts = splitIdentifier(identifier);
      if (last + parts.length >= this.termList.length)
        this.termList = enlarged(this.termList, (last + parts.length) * 2);
      const whole = identifier.toLowerCase();
      if (parts.length < 2) this.termList[last++] = this.termOfPart(whole);
      else {
        this.termList[last++] = this.termTable.add(hashWord(stem(whole)));
        for (const part of parts) this.termList[last++] = this.termOfPart(part);
      }
    }
    this.termStarts[word + 1] = last;
  }

  private termOfPart(part: string): number {
    const known = this.termsOfParts.get(part);
    if (known !== undefined) return known;
    const term = this.termTable.add(hashWord(stem(part)));
    this.termsOfParts.set(part, term);
    return term;
  }

  private grow(): void {
    const room = this.slots.length * 2;
    this.slots = new Uint32Array(room);
    this.hashes = enlarged(this.hashes, room);
    this.starts = enlarged(this.starts, room + 1);
    this.termStarts = enlarged(this.termStarts, room + 1);
    this.identifiers = enlarged(this.identifiers, room);
    this.seen = enlarged(this.seen, room);
    const mask = room - 1;
    for (let word = 0; word < this.size; word++) {
      const hash = this.hashes[word] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = word + 1;
    }
  }
}

function enlarged(values: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room);
  larger.set(values);
  return larger;
}
