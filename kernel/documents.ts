/**
 * Which documents a term is in, and how often, packed as src/search/view/inverted-index.ts reads them: one list per term, how many there are, then
 * the gap to each from the one before it with its count in the two lowest bits; a count above 3 follows as a number of its own. Every
 * document is told twice, in the same order: first it is only counted how much room each list takes, then they are written.
 */
import { MOST_IN_GAP } from './counts';
import { listOf } from './lists';
import { moveTo, take } from './memory';

/** Of all lists together: what is known of each term, of how many there is room for it. */
const ROOM: usize = 4;
const OFFSETS: usize = 8;
const BYTES: usize = 12;
/** Of a term: its last document, how many it has, and how many bytes they take; then where the next is written. */
const T_DOCUMENTS: usize = 4;
const T_BYTES: usize = 8;
const TERM_BYTES: u32 = 12;
const FIRST_TERMS: u32 = 1024;

export function newDocuments(): usize {
  const documents = take(16);
  store<usize>(documents, take(FIRST_TERMS * TERM_BYTES));
  store<u32>(documents, FIRST_TERMS, ROOM);
  return documents;
}

function termAt(documents: usize, term: u32): usize {
  return load<usize>(documents) + term * TERM_BYTES;
}

/** Documents of a term come in ascending order. */
export function countDocument(documents: usize, term: u32, document: u32, times: u32): void {
  const room = load<u32>(documents, ROOM);
  if (term >= room) makeRoom(documents, room, term);
  const at = termAt(documents, term);
  const bytes = numberBytes(gapWith(document - load<u32>(at), times));
  store<u32>(at, document);
  store<u32>(at, load<u32>(at, T_DOCUMENTS) + 1, T_DOCUMENTS);
  store<u32>(at, load<u32>(at, T_BYTES) + bytes + restBytes(times), T_BYTES);
}

function makeRoom(documents: usize, room: u32, term: u32): void {
  const larger = max(room * 2, term + 1);
  store<usize>(documents, moveTo(larger * TERM_BYTES, load<usize>(documents), room * TERM_BYTES));
  store<u32>(documents, larger, ROOM);
}

/** Everything was counted: gives every list its place, and writes how many documents it has. */
export function beginLists(documents: usize, terms: u32): void {
  const room = load<u32>(documents, ROOM);
  if (terms > room) makeRoom(documents, room, terms);
  const offsets = take((terms + 1) * 4);
  let size: u32 = 0;
  for (let term: u32 = 0; term < terms; term++) {
    store<u32>(offsets + term * 4, size);
    const at = termAt(documents, term);
    const count = load<u32>(at, T_DOCUMENTS);
    if (count > 0) size += numberBytes(count) + load<u32>(at, T_BYTES);
  }
  store<u32>(offsets + terms * 4, size);
  const bytes = take(size);
  for (let term: u32 = 0; term < terms; term++) {
    const at = termAt(documents, term);
    const count = load<u32>(at, T_DOCUMENTS);
    if (count === 0) continue;
    store<u32>(at, 0);
    store<usize>(at, writeNumber(bytes + load<u32>(offsets + term * 4), count), T_BYTES);
  }
  store<usize>(documents, listOf(offsets, terms + 1, terms + 1), OFFSETS);
  store<usize>(documents, listOf(bytes, size, size), BYTES);
}

export function writeDocument(documents: usize, term: u32, document: u32, times: u32): void {
  const at = termAt(documents, term);
  let to = writeNumber(load<usize>(at, T_BYTES), gapWith(document - load<u32>(at), times));
  if (times > MOST_IN_GAP) to = writeNumber(to, times - MOST_IN_GAP - 1);
  store<u32>(at, document);
  store<usize>(at, to, T_BYTES);
}

/** Where each list begins; one more than there are terms. */
export function offsetsOf(documents: usize): usize {
  return load<usize>(documents, OFFSETS);
}

export function bytesOf(documents: usize): usize {
  return load<usize>(documents, BYTES);
}

function gapWith(gap: u32, times: u32): u32 {
  return gap * 4 + min(times - 1, MOST_IN_GAP);
}

function restBytes(times: u32): u32 {
  return times > MOST_IN_GAP ? numberBytes(times - MOST_IN_GAP - 1) : 0;
}

function numberBytes(value: u32): u32 {
  let bytes: u32 = 1;
  for (let rest = value; rest > 127; rest >>>= 7) bytes += 1;
  return bytes;
}

function writeNumber(at: usize, value: u32): usize {
  let to = at;
  let rest = value;
  for (; rest > 127; rest >>>= 7) store<u8>(to++, <u8>((rest & 127) | 128));
  store<u8>(to, <u8>rest);
  return to + 1;
}
