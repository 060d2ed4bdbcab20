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
  /** All terms of one document: their places in `terms`, and how often each is in it. */
  addAll(terms: Uint32Array, places: ArrayLike<number>, counts: ArrayLike<number>, document: number): void;
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
    addAll(all, places, times, document) {
      const size = places.length;
      const [toTerms, toDocuments, toCounts] = [terms.room(size), documents.room(size), counts.room(size)];
      // One loop over plain lists: a call for each number is most of the time while nothing is compiled yet.
      for (let at = 0; at < size; at++) {
        toTerms[at] = all[places[at] ?? 0] ?? 0;
        toCounts[at] = times[at] ?? 1;
      }
      toDocuments.fill(document);
    },
    build: (termCount) => pack(termCount, terms.view(), documents.view(), counts.view()),
  };
}

function pack(termCount: number, terms: Uint32Array, documents: Uint32Array, counts: Uint8Array): Postings {
  // Where the places of each term begin, then the places, term by term.
  const ends = new Uint32Array(termCount + 1);
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? 0;
    ends[term] = (ends[term] ?? 0) + 1;
  }
  for (let term = 0, sum = 0; term < termCount; term++) ends[term] = sum += ends[term] ?? 0;
  const places = new Uint32Array(terms.length);
  for (let place = terms.length - 1; place >= 0; place--) {
    const term = terms[place] ?? 0;
    const end = (ends[term] ?? 0) - 1;
    ends[term] = end;
    places[end] = place;
  }
  ends[termCount] = terms.length;
  let bytes = new Uint8Array(Math.max(64, terms.length * 2));
  let size = 0;
  const offsets = new Uint32Array(termCount + 1);
  for (let term = 0; term < termCount; term++) {
    offsets[term] = size;
    const from = ends[term] ?? 0;
    const end = ends[term + 1] ?? 0;
    if (from === end) continue;
    const most = size + MOST_NUMBER_BYTES + (end - from) * MOST_POSTING_BYTES;
    if (most > bytes.length) bytes = enlarged(bytes, Math.max(most, bytes.length * 2));
    let rest = end - from;
    for (; rest > 127; rest >>>= 7) bytes[size++] = (rest & 127) | 128;
    bytes[size++] = rest;
    for (let at = from, last = 0; at < end; at++) {
      const place = places[at] ?? 0;
      const document = documents[place] ?? 0;
      const count = counts[place] ?? 1;
      rest = (document - last) * 4 + (count > 3 ? 3 : count > 1 ? count - 1 : 0);
      for (; rest > 127; rest >>>= 7) bytes[size++] = (rest & 127) | 128;
      bytes[size++] = rest;
      if (count > 3) {
        rest = count - 4;
        if (rest > 127) bytes[size++] = (rest & 127) | 128;
        bytes[size++] = rest > 127 ? rest >>> 7 : rest;
      }
      last = document;
    }
  }
  offsets[termCount] = size;
  return { offsets, bytes: bytes.slice(0, size) };
}

const MOST_NUMBER_BYTES = 5;
/** A gap, and a count of its own. */
const MOST_POSTING_BYTES = MOST_NUMBER_BYTES + 2;

function enlarged(bytes: Uint8Array, room: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(room);
  larger.set(bytes);
  return larger;
}
