/**
 * From the packed rows of files (kernel/file.ts writes them) to the numbers that search holds of all of them: src/search/view/segment.ts.
 * Rows are kept as they are and read twice, first to count and then to write: unpacked, they would take many times their room.
 */
import { LARGEST_COUNT, MOST_IN_GAP } from './counts';
import { beginLists, bytesOf, countDocument, newDocuments, offsetsOf, writeDocument } from './documents';
import { keysOf, newTable, numberOf } from './keys';
import { itemAt, newList, push, sizeOf } from './lists';
import { moveTo, take } from './memory';

const terms = newTable();
const names = newTable();
const chunkDocuments = newDocuments();
const nameDocuments = newDocuments();
const pathDocuments = newDocuments();
const definedDocuments = newDocuments();
const solidLines = newList();
/** Where the chunks, definitions and identifiers of each file begin; one more than there are files. */
const chunkOffsets = newList();
const nameOffsets = newList();
const identifierOffsets = newList();
const startLines = newList();
const endLines = newList();
const lengths = newList();
const nameLengths = newList();
const pathLengths = newList();
const nameHashes = newList();
const nameWeights = newList();
const nameLines = newList();
const nameTermOffsets = newList();
const nameTerms = newList();
/** Of each definition. */
const nameNumbers = newList();
const identifiers = newList();
/** Of each row: what is behind its terms, its end, and where the numbers of its terms lie. */
const rows = newList();
const ROW_NUMBERS: u32 = 3;

// How often each term is among the names of a file, and which are.
let timesOf: usize = take(1024 * 4);
let timesRoom: u32 = 1024;

let at: usize = 0;
let end: usize = 0;
let cut: bool = false;
/** Of the row that is read: how many terms it has, and their numbers. */
let termCount: u32 = 0;
let places: usize = 0;
/** What was read last of a list of counts. */
let rank: u32 = 0;
let times: u32 = 0;

/** Whether a row ended before what it says was read; nothing here is of use then. */
export function isCut(): bool {
  return cut;
}

/** Where the next row is written. It stays. */
export function reserveRow(bytes: u32): usize {
  return take(bytes);
}

export function addRow(from: usize, bytes: u32): void {
  at = from;
  end = from + bytes;
  const file = sizeOf(solidLines);
  readTerms();
  push(rows, <u32>at);
  push(rows, <u32>end);
  push(rows, <u32>places);
  push(solidLines, readNumber());
  let length: u32 = 0;
  for (let left = beginCounts(); left > 0; left--) {
    const term = readCount();
    countDocument(pathDocuments, term, file, times);
    length += times;
  }
  push(pathLengths, length);
  readChunks();
  readNames(file);
  push(identifierOffsets, sizeOf(identifiers));
  let hash: u32 = 0;
  for (let left = readSize(); left > 0; left--) {
    hash += readNumber();
    push(identifiers, hash);
  }
}

function readTerms(): void {
  termCount = readSize();
  places = take(termCount * 4);
  let hash: u32 = 0;
  for (let i: u32 = 0; i < termCount; i++) {
    hash += readNumber();
    store<u32>(places + i * 4, numberOf(terms, hash));
  }
}

function readChunks(): void {
  push(chunkOffsets, sizeOf(startLines));
  let line: u32 = 0;
  for (let left = readSize(); left > 0; left--) {
    const chunk = sizeOf(startLines);
    line += readNumber();
    push(startLines, line);
    push(endLines, line + readNumber());
    push(lengths, readNumber());
    for (let words = beginCounts(); words > 0; words--) {
      const term = readCount();
      countDocument(chunkDocuments, term, chunk, times);
    }
  }
}

function readNames(file: u32): void {
  push(nameOffsets, sizeOf(nameHashes));
  const first = sizeOf(nameTerms);
  for (let left = readSize(); left > 0; left--) {
    const hash = readNumber();
    const number = numberOf(names, hash);
    countDocument(definedDocuments, number, sizeOf(nameHashes), 1);
    push(nameNumbers, number);
    push(nameHashes, hash);
    push(nameWeights, readNumber());
    push(nameLines, readNumber());
    // Where it ends.
    readNumber();
    push(nameTermOffsets, sizeOf(nameTerms));
    for (let words = readSize(); words > 0; words--) push(nameTerms, placeOf(readNumber()));
  }
  push(nameLengths, sizeOf(nameTerms) - first);
  tellNames(file, first, sizeOf(nameTerms), true);
}

/** Which terms the names of a file have, each once: counted the first time, then written. */
function tellNames(file: u32, from: u32, to: u32, isFirst: bool): void {
  const size = sizeOf(keysOf(terms));
  if (size > timesRoom) {
    timesOf = moveTo(size * 8, timesOf, timesRoom * 4);
    timesRoom = size * 2;
  }
  for (let i = from; i < to; i++) {
    const place = timesOf + itemAt(nameTerms, i) * 4;
    store<u32>(place, load<u32>(place) + 1);
  }
  for (let i = from; i < to; i++) {
    const term = itemAt(nameTerms, i);
    const count = load<u32>(timesOf + term * 4);
    if (count === 0) continue;
    store<u32>(timesOf + term * 4, 0);
    if (isFirst) countDocument(nameDocuments, term, file, min(LARGEST_COUNT, count));
    else writeDocument(nameDocuments, term, file, min(LARGEST_COUNT, count));
  }
}

/** No row comes any more. */
export function build(): void {
  const files = sizeOf(solidLines);
  const definitions = sizeOf(nameHashes);
  push(chunkOffsets, sizeOf(startLines));
  push(nameOffsets, definitions);
  push(nameTermOffsets, sizeOf(nameTerms));
  push(identifierOffsets, sizeOf(identifiers));
  const termNumbers = sizeOf(keysOf(terms));
  beginLists(chunkDocuments, termNumbers);
  beginLists(nameDocuments, termNumbers);
  beginLists(pathDocuments, termNumbers);
  beginLists(definedDocuments, sizeOf(keysOf(names)));
  let chunk: u32 = 0;
  for (let file: u32 = 0; file < files; file++) chunk = writeRow(file, chunk);
  for (let i: u32 = 0; i < definitions; i++) writeDocument(definedDocuments, itemAt(nameNumbers, i), i, 1);
}

/** Once more what was counted, of the same bytes. Gives the number of the next chunk. */
function writeRow(file: u32, firstChunk: u32): u32 {
  at = itemAt(rows, file * ROW_NUMBERS);
  end = itemAt(rows, file * ROW_NUMBERS + 1);
  places = itemAt(rows, file * ROW_NUMBERS + 2);
  // Every place was looked at when it was counted.
  termCount = u32.MAX_VALUE;
  // The lines that are not blank.
  readNumber();
  for (let left = beginCounts(); left > 0; left--) {
    const term = readCount();
    writeDocument(pathDocuments, term, file, times);
  }
  let chunk = firstChunk;
  for (let left = readSize(); left > 0; left--) {
    // Its lines, and how many words it has.
    readNumber();
    readNumber();
    readNumber();
    for (let words = beginCounts(); words > 0; words--) {
      const term = readCount();
      writeDocument(chunkDocuments, term, chunk, times);
    }
    chunk += 1;
  }
  const first = itemAt(nameOffsets, file);
  const behind = itemAt(nameOffsets, file + 1);
  tellNames(file, itemAt(nameTermOffsets, first), itemAt(nameTermOffsets, behind), false);
  return chunk;
}

/** A list of terms with how often each occurs follows: gives how many there are. */
function beginCounts(): u32 {
  rank = 0;
  return readSize();
}

/** The next one's number; how often it occurs is in `times`. */
function readCount(): u32 {
  const packed = readNumber();
  rank += packed >>> 2;
  const small = packed & 3;
  times = small + 1;
  // What is added to a damaged number must not come out small.
  if (small === MOST_IN_GAP) times += min(LARGEST_COUNT - times, readNumber());
  return placeOf(rank);
}

function placeOf(inRow: u32): u32 {
  if (inRow >= termCount) fail();
  return load<u32>(places + inRow * 4);
}

/** How many things follow, each of one byte at least: a damaged one must not ask for gigabytes. */
function readSize(): u32 {
  const size = readNumber();
  if (size > <u32>(end - at)) fail();
  return size;
}

function readNumber(): u32 {
  let value: u32 = 0;
  for (let shift: u32 = 0; shift < 35; shift += 7) {
    if (at >= end) fail();
    const byte = <u32>load<u8>(at++);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
  fail();
  return 0;
}

function fail(): void {
  cut = true;
  unreachable();
}

/** What was made, in the order in which src/kernel/segment-kernel.ts names it: where it lies, and how many numbers or bytes it has. */
export function resultAt(which: u32): usize {
  if (which === 0) return solidLines;
  if (which === 1) return chunkOffsets;
  if (which === 2) return startLines;
  if (which === 3) return endLines;
  if (which === 4) return lengths;
  if (which === 5) return keysOf(terms);
  if (which === 6) return offsetsOf(chunkDocuments);
  if (which === 7) return bytesOf(chunkDocuments);
  if (which === 8) return offsetsOf(nameDocuments);
  if (which === 9) return bytesOf(nameDocuments);
  if (which === 10) return nameLengths;
  if (which === 11) return offsetsOf(pathDocuments);
  if (which === 12) return bytesOf(pathDocuments);
  if (which === 13) return pathLengths;
  if (which === 14) return nameOffsets;
  if (which === 15) return nameHashes;
  if (which === 16) return nameWeights;
  if (which === 17) return nameLines;
  if (which === 18) return nameTermOffsets;
  if (which === 19) return nameTerms;
  if (which === 20) return keysOf(names);
  if (which === 21) return offsetsOf(definedDocuments);
  if (which === 22) return bytesOf(definedDocuments);
  if (which === 23) return identifierOffsets;
  return identifiers;
}
