/** The static model: its vocabulary, and the rows that stand for a word. The file's format is told in src/embedding/static-encoder.ts. */
import { DIGIT, FNV_PRIME, FNV_START, toLower } from './letters';
import { moveTo, take } from './memory';
import { nextModelPart, partEnd, partKind, partStart } from './parts';

/** Natural logarithm, by the host: every number is to the bit what it is there. */
declare function log(value: f64): f64;

const LINE_END: u32 = 10;
const MOST_DIGITS: usize = 4;

const SHORTEST_SPLIT: i32 = 4;
const LONGEST_SPLIT: i32 = 40;
const SKIP_COST: f64 = 22;
const ONE_LETTER_COST: f64 = 8;
const TWO_LETTERS_COST: f64 = 3;
const RANK_OFFSET: f64 = 20;

export let rowCount: i32 = 0;
export let dimensions: i32 = 0;
export let scales: usize = 0;
export let rows: usize = 0;
/** How many words the vocabulary really has; -1 if one of them is too long. */
export let vocabularySize: i32 = 0;

let letters: usize = 0;
/** Where each word begins; one more than there are words, as if a line end followed the last. */
let starts: usize = 0;
/** A rank plus one; 0 is free. */
let slots: usize = 0;
let slotMask: u32 = 0;
let longest: i32 = 0;
/** By rank; 0 where it was not asked for yet. */
let rankCosts: usize = 0;

/** Rows of all words that were looked up, one after the other. */
export let rowList: usize = 0;
export let rowListSize: u32 = 0;
let rowListRoom: u32 = 0;

// The cheapest way to each place of a word that is split: its cost, where its last step began, and the piece it took.
const WAYS: usize = memory.data(8 * 41, 8);
const FROM: usize = memory.data(4 * 41, 4);
const PIECES: usize = memory.data(4 * 41, 4);
/** A word in lower case. No word of a model is longer; `takeModel` sees to that. */
const LOWERED: usize = memory.data(256);
const MOST_LOWERED: usize = 256;

/** `at` is where the file lies, and stays. */
export function useModel(at: usize, count: i32, width: i32, vocabularyBytes: i32): void {
  rowCount = count;
  dimensions = width;
  letters = at + 16;
  scales = letters + ((vocabularyBytes + 3) & ~3);
  rows = scales + count * 4;
  starts = take((count + 1) * 4);
  let room: u32 = 1024;
  while (room < <u32>count * 2) room *= 2;
  slots = take(room * 4);
  slotMask = room - 1;
  rankCosts = take(count * 8);
  rowListRoom = 16384;
  rowList = take(rowListRoom * 4);
  let rank = 0;
  let from: i32 = 0;
  let hash = FNV_START;
  longest = 0;
  for (let place = 0; place <= vocabularyBytes; place++) {
    const code = place < vocabularyBytes ? <u32>load<u8>(letters + place) : LINE_END;
    if (code !== LINE_END) {
      hash = (hash ^ code) * FNV_PRIME;
      continue;
    }
    if (rank < count) {
      let slot = slotOf(hash);
      while (load<u32>(slots + slot * 4) !== 0) slot = (slot + 1) & slotMask;
      store<u32>(slots + slot * 4, rank + 1);
    }
    if (place - from > longest) longest = place - from;
    rank += 1;
    from = place + 1;
    hash = FNV_START;
    if (rank <= count) store<u32>(starts + rank * 4, from);
  }
  // Such a word would never be found.
  vocabularySize = longest > <i32>MOST_LOWERED ? -1 : rank;
}

export function forgetRows(): void {
  rowListSize = 0;
}

/** Appends the rows that stand for a word, bytes of ASCII, to `rowList`. */
export function addRowsOf(word: usize, end: usize): void {
  let at = word;
  while (at < end) {
    const behind = nextModelPart(at, end);
    if (behind === 0) return;
    const size = partEnd - partStart;
    at = behind;
    if (partKind === DIGIT && size > MOST_DIGITS) continue;
    if (size > MOST_LOWERED) continue;
    let hash = FNV_START;
    for (let i: usize = 0; i < size; i++) {
      const code = toLower(load<u8>(partStart + i));
      store<u8>(LOWERED + i, <u8>code);
      hash = (hash ^ code) * FNV_PRIME;
    }
    const known = find(hash, LOWERED, <i32>size);
    if (known >= 0) addRow(known);
    else if (partKind !== DIGIT) addPieces(<i32>size);
  }
}

/** A word the model does not know becomes the cheapest row of pieces that it does know. */
function addPieces(size: i32): void {
  if (size < SHORTEST_SPLIT || size > LONGEST_SPLIT) return;
  for (let i = 1; i <= size; i++) store<f64>(WAYS + i * 8, Infinity);
  store<f64>(WAYS, 0);
  for (let begin = 0; begin < size; begin++) {
    const sofar = load<f64>(WAYS + begin * 8);
    // Of equal ways, the one that skips.
    if (sofar + SKIP_COST <= load<f64>(WAYS + (begin + 1) * 8)) step(begin, begin + 1, sofar + SKIP_COST, -1);
    let hash = FNV_START;
    const last = min(size, begin + longest);
    for (let end = begin + 1; end <= last; end++) {
      hash = (hash ^ <u32>load<u8>(LOWERED + end - 1)) * FNV_PRIME;
      const rank = find(hash, LOWERED + begin, end - begin);
      if (rank < 0) continue;
      const through = sofar + pieceCost(rank, end - begin);
      if (through < load<f64>(WAYS + end * 8)) step(begin, end, through, rank);
    }
  }
  // From the last to the first: counted, then written in their order.
  let count = 0;
  for (let at = size; at > 0; at = load<i32>(FROM + at * 4)) if (isPiece(at)) count += 1;
  reserveRows(count);
  let place = rowListSize + count;
  rowListSize = place;
  for (let at = size; at > 0; at = load<i32>(FROM + at * 4))
    if (isPiece(at)) store<u32>(rowList + --place * 4, load<u32>(PIECES + at * 4));
}

/** Single letters are not worth emitting. */
function isPiece(at: i32): bool {
  return load<i32>(PIECES + at * 4) >= 0 && at - load<i32>(FROM + at * 4) >= 2;
}

function step(begin: i32, end: i32, cost: f64, piece: i32): void {
  store<f64>(WAYS + end * 8, cost);
  store<i32>(FROM + end * 4, begin);
  store<i32>(PIECES + end * 4, piece);
}

/** Frequent pieces are cheap, short ones dear. */
function pieceCost(rank: i32, length: i32): f64 {
  let cost = load<f64>(rankCosts + rank * 8);
  if (cost === 0) {
    cost = log(<f64>rank + RANK_OFFSET);
    store<f64>(rankCosts + rank * 8, cost);
  }
  return cost + (length === 1 ? ONE_LETTER_COST : length === 2 ? TWO_LETTERS_COST : 0);
}

/** The rank of what has these letters; -1 for what is not there. */
function find(hash: u32, at: usize, size: i32): i32 {
  let slot = slotOf(hash);
  let rank = <i32>load<u32>(slots + slot * 4) - 1;
  while (rank >= 0 && !hasLetters(rank, at, size)) {
    slot = (slot + 1) & slotMask;
    rank = <i32>load<u32>(slots + slot * 4) - 1;
  }
  return rank;
}

function hasLetters(rank: i32, at: usize, size: i32): bool {
  const from = load<u32>(starts + rank * 4);
  if (<i32>(load<u32>(starts + (rank + 1) * 4) - 1 - from) !== size) return false;
  let same = 0;
  while (same < size && load<u8>(letters + from + same) === load<u8>(at + same)) same += 1;
  return same === size;
}

function slotOf(hash: u32): u32 {
  return (hash ^ (hash >>> 15)) & slotMask;
}

function addRow(row: i32): void {
  reserveRows(1);
  store<u32>(rowList + rowListSize++ * 4, row);
}

function reserveRows(count: i32): void {
  const needed = rowListSize + count;
  if (needed <= rowListRoom) return;
  rowListRoom = needed * 2;
  rowList = moveTo(rowListRoom * 4, rowList, rowListSize * 4);
}

/** A weight, as `1 + ln(count)` times what the row is scaled by. */
export function weightOf(row: u32, count: u32): f32 {
  return <f32>((1 + logOf(count)) * <f64>load<f32>(scales + row * 4));
}

/** Nearly every count is small. */
const LOGS: usize = memory.data(8 * 64, 8);

function logOf(count: u32): f64 {
  if (count === 1) return 0;
  if (count >= 64) return log(<f64>count);
  let found = load<f64>(LOGS + count * 8);
  if (found === 0) {
    found = log(<f64>count);
    store<f64>(LOGS + count * 8, found);
  }
  return found;
}
