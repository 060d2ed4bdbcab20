/** Which documents a term is in, and how often: kernel/documents.ts packs them. */
import type { BuiltPostings } from '../../kernel/index.ts';

/**
 * One list per term, in a byte or two for each document: how many there are, then for each the gap to the one before it with
 * its count in the two lowest bits; a count above 3 follows as a number of its own. Numbers have seven bits in a byte, the lowest
 * first. A quarter of the memory that plain numbers take, and no slower to read.
 */
export type Postings = BuiltPostings;

const NO_DOCUMENTS = new Uint32Array(0);
const NO_COUNTS = new Uint8Array(0);

/** Where a list is read to; used again for the next one. */
export class PostingList {
  size = 0;
  documents = NO_DOCUMENTS;
  counts = NO_COUNTS;

  /** Empty for a term that is not there. */
  read({ offsets, bytes }: Postings, term: number): this {
    this.size = 0;
    if (term < 0) return this;
    let at = offsets[term] ?? 0;
    if (at === (offsets[term + 1] ?? 0)) return this;
    let byte = 0;
    let value = 0;
    let shift = 0;
    do {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    const size = value;
    if (this.documents.length < size) this.grow(size);
    const { documents, counts } = this;
    let document = 0;
    for (let place = 0; place < size; place++) {
      byte = bytes[at++] ?? 0;
      value = byte & 127;
      for (shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      document += value >>> 2;
      documents[place] = document;
      let count = (value & 3) + 1;
      if (count > 3) {
        // It fits in two bytes: counts end at 255.
        byte = bytes[at++] ?? 0;
        count = 4 + (byte & 127);
        if (byte > 127) count += (bytes[at++] ?? 0) << 7;
      }
      counts[place] = count;
    }
    this.size = size;
    return this;
  }

  private grow(size: number): void {
    this.documents = new Uint32Array(size + (size >> 1));
    this.counts = new Uint8Array(size + (size >> 1));
  }
}

/** How many documents a term is in. */
export function postingCount({ offsets, bytes }: Postings, term: number): number {
  if (term < 0) return 0;
  let at = offsets[term] ?? 0;
  if (at === (offsets[term + 1] ?? 0)) return 0;
  let byte = 0;
  let value = 0;
  let shift = 0;
  do {
    byte = bytes[at++] ?? 0;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value;
}
