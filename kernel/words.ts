/**
 * The words of code, each with a number. Code repeats its words: only one that was never seen is taken apart. Terms are
 * known by the hashes of their stems. kernel/tokens.ts gives questions the same.
 */
import { DIGIT, finishHash, FNV_PRIME, FNV_START, kindOf, MOST_LETTERS, toLower } from './letters';
import { moveTo, take } from './memory';
import { addRowsOf, forgetRows, rowCount, rowListSize } from './model';
import { nextPart, partEnd, partStart } from './parts';
import { stemInPlace } from './stem';

const SHORTEST_REFERENCE: i32 = 5;
const MOST_WORDS: u32 = 100_000;
const MOST_TERMS: u32 = 1_000_000;
/** Bytes of all words together. Some files hold words far longer than any name. */
const MOST_LETTERS_KEPT: u32 = 16 * 1024 * 1024;

// Of a word: what its place in a record is. One record behind the last tells where the terms and rows of the last end.
const W_BYTES: u32 = 32;
const W_HASH: usize = 0;
const W_LETTERS: usize = 4;
const W_SIZE: usize = 8;
/** Hash of the identifier, 0 if it is too short to name anything in particular. */
export const W_IDENTIFIER: usize = 12;
const W_TERMS: usize = 16;
const W_ROWS: usize = 20;
/** How often it is in the text that is being counted; 0 between texts. */
export const W_SEEN: usize = 24;
/** The last file it was in. */
export const W_FILE: usize = 28;

const T_BYTES: u32 = 16;
export const T_HASH: usize = 0;
/** How often it is in the list that is open; 0 between lists. */
export const T_COUNT: usize = 4;
/** Its rank in the file plus one; 0 if it is not in the file. */
export const T_RANK: usize = 8;

let wordCount: u32 = 0;
let wordRoom: u32 = 4096;
let words: usize = take((wordRoom + 1) * W_BYTES);
/** A word's number plus one; 0 is free. */
let slots: usize = take(wordRoom * 2 * 4);
let slotMask: u32 = wordRoom * 2 - 1;

let letters: usize = take(65_536);
let lettersRoom: u32 = 65_536;
let lettersUsed: u32 = 0;

let termCount: u32 = 0;
let termRoom: u32 = 4096;
let terms: usize = take(termRoom * T_BYTES);
let termSlots: usize = take(termRoom * 2 * 4);
let termMask: u32 = termRoom * 2 - 1;

/** Numbers of all words' terms, one after the other. */
export let termList: usize = take(16_384 * 4);
let termListRoom: u32 = 16_384;
let termListUsed: u32 = 0;

/** Numbers of the words of the text that was read last, in order. */
export let sequence: usize = take(16_384 * 4);
let sequenceRoom: u32 = 16_384;

/** A part of a word in lower case. */
const LOWERED: usize = memory.data(128);

export function wordAt(word: u32): usize {
  return words + word * W_BYTES;
}

export function termAt(term: u32): usize {
  return terms + term * T_BYTES;
}

// Places in `termList`.
export function termsFrom(word: usize): usize {
  return termList + load<u32>(word, W_TERMS) * 4;
}

export function termsTo(word: usize): usize {
  return termList + load<u32>(word + W_BYTES, W_TERMS) * 4;
}

// Places in the model's list of rows.
export function rowsFrom(word: usize): u32 {
  return load<u32>(word, W_ROWS);
}

export function rowsTo(word: usize): u32 {
  return load<u32>(word + W_BYTES, W_ROWS);
}

/** Whether it is time to forget. */
export function isFull(): bool {
  return wordCount >= MOST_WORDS || termCount >= MOST_TERMS || lettersUsed >= MOST_LETTERS_KEPT;
}

/** Every word. Not while numbers of words are in use. */
export function forgetWords(): void {
  memory.fill(slots, 0, (slotMask + 1) * 4);
  memory.fill(words, 0, (wordCount + 1) * W_BYTES);
  memory.fill(termSlots, 0, (termMask + 1) * 4);
  memory.fill(terms, 0, termCount * T_BYTES);
  wordCount = 0;
  lettersUsed = 0;
  termCount = 0;
  termListUsed = 0;
  forgetRows();
}

/** Reads the words of a text into `sequence`; gives how many there are. What is behind the text must be in no word. */
export function readWords(from: usize, end: usize): u32 {
  const most = <u32>((end - from) >>> 2) + 1;
  if (most > sequenceRoom) {
    sequenceRoom = most * 2;
    sequence = take(sequenceRoom * 4);
  }
  let out = sequence;
  let at = from;
  while (at < end) {
    let code = <u32>load<u16>(at);
    at += 2;
    if (kindOf(code) === 0) continue;
    const start = at - 2;
    let hash = FNV_START;
    do {
      hash = (hash ^ code) * FNV_PRIME;
      code = <u32>load<u16>(at);
      at += 2;
    } while (kindOf(code) !== 0);
    at -= 2;
    store<u32>(out, wordOf(start, <u32>((at - start) >>> 1), hash));
    out += 4;
  }
  return <u32>((out - sequence) >>> 2);
}

function wordOf(start: usize, size: u32, hash: u32): u32 {
  let slot = (hash ^ (hash >>> 15)) & slotMask;
  let number = load<u32>(slots + slot * 4);
  while (number !== 0 && !isWord(wordAt(number - 1), start, size, hash)) {
    slot = (slot + 1) & slotMask;
    number = load<u32>(slots + slot * 4);
  }
  return number === 0 ? addWord(start, size, hash, slot) : number - 1;
}

function isWord(word: usize, start: usize, size: u32, hash: u32): bool {
  if (load<u32>(word, W_HASH) !== hash || load<u32>(word, W_SIZE) !== size) return false;
  const own = letters + load<u32>(word, W_LETTERS);
  let same: u32 = 0;
  while (same < size && <u16>load<u8>(own + same) === load<u16>(start + same * 2)) same += 1;
  return same === size;
}

function addWord(start: usize, size: u32, hash: u32, slot: u32): u32 {
  const number = wordCount++;
  store<u32>(slots + slot * 4, number + 1);
  if (lettersUsed + size > lettersRoom) {
    lettersRoom = (lettersUsed + size) * 2;
    letters = moveTo(lettersRoom, letters, lettersUsed);
  }
  const own = letters + lettersUsed;
  for (let i: u32 = 0; i < size; i++) store<u8>(own + i, <u8>load<u16>(start + i * 2));
  const word = wordAt(number);
  store<u32>(word, hash, W_HASH);
  store<u32>(word, lettersUsed, W_LETTERS);
  store<u32>(word, size, W_SIZE);
  lettersUsed += size;

  let digits: u32 = 0;
  while (digits < size && kindOf(load<u8>(own + digits)) === DIGIT) digits += 1;
  const length = <i32>(size - digits);
  const identifier = own + digits;
  let fnv = hash;
  if (digits > 0) fnv = fnvOf(identifier, length);
  store<u32>(word, length >= SHORTEST_REFERENCE ? finishHash(fnv) : 0, W_IDENTIFIER);
  if (length > 0 && length <= MOST_LETTERS) addTerms(identifier, length);
  store<u32>(word + W_BYTES, termListUsed, W_TERMS);
  if (rowCount > 0) {
    addRowsOf(own, own + size);
    store<u32>(word + W_BYTES, rowListSize, W_ROWS);
  }
  if (wordCount === wordRoom) growWords();
  return number;
}

/** The whole identifier, and its parts where it has several. */
function addTerms(identifier: usize, length: i32): void {
  const end = identifier + length;
  // One for each letter at most, and one for the whole.
  const most = termListUsed + length + 2;
  if (most > termListRoom) {
    termListRoom = most * 2;
    termList = moveTo(termListRoom * 4, termList, termListUsed * 4);
  }
  addTerm(identifier, length);
  if (!nextPart(identifier, end)) return;
  const first = partStart;
  const firstEnd = partEnd;
  if (!nextPart(firstEnd, end)) return;
  addTerm(first, <i32>(firstEnd - first));
  do addTerm(partStart, <i32>(partEnd - partStart));
  while (nextPart(partEnd, end));
}

function addTerm(at: usize, size: i32): void {
  for (let i = 0; i < size; i++) store<u8>(LOWERED + i, <u8>toLower(load<u8>(at + i)));
  const hash = finishHash(fnvOf(LOWERED, stemInPlace(LOWERED, size)));
  store<u32>(termList + termListUsed++ * 4, termOf(hash));
}

function termOf(hash: u32): u32 {
  let slot = hash & termMask;
  for (;;) {
    const number = load<u32>(termSlots + slot * 4);
    if (number === 0) break;
    if (load<u32>(termAt(number - 1), T_HASH) === hash) return number - 1;
    slot = (slot + 1) & termMask;
  }
  const term = termCount++;
  store<u32>(termSlots + slot * 4, term + 1);
  store<u32>(termAt(term), hash, T_HASH);
  if (termCount === termRoom) growTerms();
  return term;
}

function fnvOf(at: usize, size: i32): u32 {
  let hash = FNV_START;
  for (let i = 0; i < size; i++) hash = (hash ^ <u32>load<u8>(at + i)) * FNV_PRIME;
  return hash;
}

function growWords(): void {
  const room = wordRoom * 2;
  words = moveTo((room + 1) * W_BYTES, words, (wordRoom + 1) * W_BYTES);
  slots = take(room * 2 * 4);
  slotMask = room * 2 - 1;
  wordRoom = room;
  for (let number: u32 = 0; number < wordCount; number++) {
    const hash = load<u32>(wordAt(number), W_HASH);
    let slot = (hash ^ (hash >>> 15)) & slotMask;
    while (load<u32>(slots + slot * 4) !== 0) slot = (slot + 1) & slotMask;
    store<u32>(slots + slot * 4, number + 1);
  }
}

function growTerms(): void {
  const room = termRoom * 2;
  terms = moveTo(room * T_BYTES, terms, termRoom * T_BYTES);
  termSlots = take(room * 2 * 4);
  termMask = room * 2 - 1;
  termRoom = room;
  for (let term: u32 = 0; term < termCount; term++) {
    let slot = load<u32>(termAt(term), T_HASH) & termMask;
    while (load<u32>(termSlots + slot * 4) !== 0) slot = (slot + 1) & termMask;
    store<u32>(termSlots + slot * 4, term + 1);
  }
}
