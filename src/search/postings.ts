/** Which documents a term is in, and how often: gathered document by document, then turned around and packed. */
import { growingBytes, growingNumbers } from './growing.ts';

/**
 * One list per term, in a byte or two for each document: how many there are, then for each the gap to the one before it with
 * its count in the two lowest bits; a count above 3 follows as a number of its own. Numbers have seven bits in a byte, the lowest
 * first. A quarter of the memory that plain numbers take, and no slower to read.
 */
export interface Postings {
  /** Where a term's list begins; one more entry than there are terms. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

export interface PostingsBuilder {
  /** Documents of a term come in ascending order. */
  add(term: number, document: number, count: number): void;
  build(terms: number): Postings;
}

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

export function createPostingsBuilder(): PostingsBuilder {
  const terms = growingNumbers();
  const documents = growingNumbers();
  const counts = growingBytes();
  return {
    add(term, document, count) {
      terms.push(term);
      documents.push(document);
      counts.push(count);
    },
    build: (termCount) => pack(termCount, terms.view(), documents.view(), counts.view()),
  };
}

function pack(termCount: number, terms: Uint32Array, documents: Uint32Array, counts: Uint8Array): Postings {
  // Where the places of each term begin, then the places, term by term.
  const ends = new Uint32Array(termCount + 1);
  for (const term of terms) ends[term] = (ends[term] ?? 0) + 1;
  for (let term = 0, sum = 0; term < termCount; term++) ends[term] = sum += ends[term] ?? 0;
  const places = new Uint32Array(terms.length);
  for (let place = terms.length - 1; place >= 0; place--) {
    const term = terms[place] ?? 0;
    const end = (ends[term] ?? 0) - 1;
    ends[term] = end;
    places[end] = place;
  }
  ends[termCount] = terms.length;
  const bytes = growingBytes();
  const offsets = new Uint32Array(termCount + 1);
  const write = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  for (let term = 0; term < termCount; term++) {
    offsets[term] = bytes.length;
    const from = ends[term] ?? 0;
    const end = ends[term + 1] ?? 0;
    if (from < end) write(end - from);
    for (let at = from, last = 0; at < end; at++) {
      const document = documents[places[at] ?? 0] ?? 0;
      const count = Math.max(1, counts[places[at] ?? 0] ?? 1);
      write((document - last) * 4 + Math.min(count - 1, 3));
      if (count > 3) write(count - 4);
      last = document;
    }
  }
  offsets[termCount] = bytes.length;
  return { offsets, bytes: bytes.done() };
}
