/**
 * The words of questions, paths and shown lines: the same identifiers, parts, stems and hashes as kernel/words.ts gives files. Nothing
 * is kept between calls but memory, and the stems that are looked for.
 */
import { DIGIT, finishHash, FNV_PRIME, FNV_START, kindOf, LOWER, MOST_LETTERS, toLower } from './letters';
import { moveTo, take } from './memory';
import { nextPart, partEnd, partStart } from './parts';
import { stemInPlace } from './stem';
import { markTrigrams, nextTrigram, TRIGRAM_HASHES } from './trigrams';

const LINE_END: u32 = 10;

let text: usize = take(16_384);
let textRoom: u32 = 8192;
/** The run of letters that is read now, a byte each. */
let run: usize = take(8192);

/** What is given back: numbers of 32 bits, and the stems they tell of. */
let numbers: usize = take(16_384);
let numbersRoom: u32 = 4096;
let numberCount: u32 = 0;
let stems: usize = take(8192);
let stemsRoom: u32 = 8192;
let stemsUsed: u32 = 0;

/** A word in lower case, then stemmed. */
let stemmed: usize = take(8192);

/** Where a text of so many units may be written. One more is room for what ends it. */
export function reserveText(units: u32): usize {
  if (units + 1 > textRoom) {
    textRoom = (units + 1) * 2;
    text = take(textRoom * 2);
    run = take(textRoom);
    stemmed = take(textRoom);
  }
  store<u16>(text + units * 2, 0);
  return text;
}

/** Where the numbers of the last call lie. */
export function numbersAt(): usize {
  return numbers;
}

/** Where the letters of all stems of the last call lie, one stem behind the other. */
export function stemsAt(): usize {
  return stems;
}

function put(number: u32): void {
  if (numberCount === numbersRoom) {
    numbersRoom *= 2;
    numbers = moveTo(numbersRoom * 4, numbers, numberCount * 4);
  }
  store<u32>(numbers + numberCount++ * 4, number);
}

/** Of the letters of the run from one place to another, in lower case and stemmed; gives how many are left in `stemmed`. */
function stemOf(from: u32, to: u32): i32 {
  for (let at = from; at < to; at++) store<u8>(stemmed + at - from, <u8>toLower(load<u8>(run + at)));
  return stemInPlace(stemmed, <i32>(to - from));
}

function hashOf(size: i32): u32 {
  let hash = FNV_START;
  for (let i = 0; i < size; i++) hash = (hash ^ <u32>load<u8>(stemmed + i)) * FNV_PRIME;
  return finishHash(hash);
}

/** Puts the hash of a stem and where it ends among all stems. */
function putTerm(from: u32, to: u32): void {
  const size = stemOf(from, to);
  if (stemsUsed + size > stemsRoom) {
    stemsRoom = (stemsUsed + size) * 2;
    stems = moveTo(stemsRoom, stems, stemsUsed);
  }
  memory.copy(stems + stemsUsed, stemmed, size);
  stemsUsed += size;
  put(hashOf(size));
  put(stemsUsed);
}

/** Set by `nextRun`: units of the text, and where its leading digits end. */
let runStart: u32 = 0;
let runEnd: u32 = 0;
let runName: u32 = 0;
/** Of what it is made, leading digits aside. */
let runKinds: u32 = 0;

/** Copies the next run of word letters at or behind a unit into `run`; false if there is none. What is behind the text is in no word. */
function nextRun(from: u32, end: u32): bool {
  let at = from;
  while (at < end && kindOf(<u32>load<u16>(text + at * 2)) === 0) at += 1;
  if (at >= end) return false;
  runStart = at;
  runName = at;
  runKinds = 0;
  let code = <u32>load<u16>(text + at * 2);
  let kind = kindOf(code);
  do {
    store<u8>(run + at - runStart, <u8>code);
    if (runKinds === 0 && kind === DIGIT) runName = at + 1;
    else runKinds |= kind;
    at += 1;
    code = <u32>load<u16>(text + at * 2);
    kind = kindOf(code);
  } while (kind !== 0);
  runEnd = at;
  return true;
}

/**
 * Reads the words of the text; gives how many numbers tell of them. For each run of letters, digits and low lines: where its
 * identifier begins, behind leading digits, and where it ends; hash of the identifier's stem and where the stem ends (an identifier
 * that is too long has hash 0 and no stem); how many parts it has, and for each where it begins and ends, the hash of its stem and where
 * that ends.
 */
export function readWords(units: u32): u32 {
  numberCount = 0;
  stemsUsed = 0;
  for (let at: u32 = 0; nextRun(at, units); at = runEnd) {
    put(runName);
    put(runEnd);
    const size = runEnd - runName;
    if (size > 0 && size <= <u32>MOST_LETTERS) putTerm(runName - runStart, runEnd - runStart);
    else {
      put(0);
      put(stemsUsed);
    }
    const countAt = numberCount;
    put(0);
    let parts: u32 = 0;
    const end = run + (runEnd - runStart);
    for (let from = run; nextPart(from, end); from = partEnd) {
      parts += 1;
      const start = <u32>(partStart - run);
      const behind = <u32>(partEnd - run);
      put(runStart + start);
      put(runStart + behind);
      putTerm(start, behind);
    }
    store<u32>(numbers + countAt * 4, parts);
  }
  return numberCount;
}

/** Of the text as it is, as names are hashed. */
export function hashText(units: u32): u32 {
  let hash = FNV_START;
  const end = text + units * 2;
  for (let at = text; at < end; at += 2) hash = (hash ^ <u32>load<u16>(at)) * FNV_PRIME;
  return finishHash(hash);
}

/** Which runs of three characters the text has, which is in lower case: gives how many hashes there are, ascending. */
export function readTrigrams(units: u32): u32 {
  numberCount = 0;
  markTrigrams(text, units);
  for (let hash = nextTrigram(0); hash < TRIGRAM_HASHES; hash = nextTrigram(hash + 1)) put(hash);
  return numberCount;
}

/** A hash table of the wanted stems: of each its hash, its place plus one (0 is free), and the last line it was found on, from 1. */
const SLOT_BYTES: u32 = 12;
let slotRoom: u32 = 512;
let slotMask: u32 = slotRoom - 1;
let slots: usize = take(512 * SLOT_BYTES);
/** A bit for each way in which a wanted stem begins. Stemming leaves the first three letters alone, so most words need none of it. */
const BEGINNINGS: usize = memory.data(512);
const HEAD: i32 = 3;

function beginningOf(at: usize, size: i32): u32 {
  let key: u32 = 0;
  const end = min(size, HEAD);
  for (let i = 0; i < end; i++) key = key * 31 + toLower(load<u8>(at + i));
  return key & 4095;
}

/** The text is the stems that `findWanted` looks for, a line each. */
export function wantStems(units: u32): void {
  memory.fill(BEGINNINGS, 0, 512);
  let lines: u32 = 1;
  for (let at: u32 = 0; at < units; at++) lines += <u32>(<u32>load<u16>(text + at * 2) === LINE_END);
  let room: u32 = 64;
  while (room < lines * 2) room *= 2;
  if (room > slotRoom) {
    slotRoom = room;
    slots = take(room * SLOT_BYTES);
  }
  slotMask = room - 1;
  memory.fill(slots, 0, room * SLOT_BYTES);
  let place: u32 = 0;
  for (let at: u32 = 0; at < units;) {
    let size: u32 = 0;
    let hash = FNV_START;
    for (let code = <u32>load<u16>(text + at * 2); at < units && code !== LINE_END; size++) {
      store<u8>(run + size, <u8>code);
      hash = (hash ^ code) * FNV_PRIME;
      at += 1;
      code = <u32>load<u16>(text + at * 2);
    }
    at += 1;
    place += 1;
    const own = finishHash(hash);
    const slot = slotOf(own);
    // Of two alike the first is told.
    if (load<u32>(slot, 4) === 0) {
      store<u32>(slot, own);
      store<u32>(slot, place, 4);
    }
    const key = beginningOf(run, <i32>size);
    const byte = BEGINNINGS + (key >>> 3);
    store<u8>(byte, <u8>(<u32>load<u8>(byte) | ((<u32>1) << (key & 7))));
  }
}

/** Which wanted stems are on which lines of the text: pairs of the line, from 0, and the stem's place. Gives how many numbers there are. */
export function findWanted(units: u32): u32 {
  numberCount = 0;
  for (let slot: u32 = 0; slot <= slotMask; slot++) store<u32>(slots + slot * SLOT_BYTES, 0, 8);
  let line: u32 = 0;
  let seen: u32 = 0;
  for (let at: u32 = 0; nextRun(at, units); at = runEnd) {
    for (; seen < runStart; seen++) line += <u32>(<u32>load<u16>(text + seen * 2) === LINE_END);
    const size = runEnd - runName;
    if (size === 0 || size > <u32>MOST_LETTERS) continue;
    const first = run + (runName - runStart);
    const end = run + (runEnd - runStart);
    look(first, end, line);
    // Lower case alone is one part.
    if (runKinds === LOWER) continue;
    if (!nextPart(first, end)) continue;
    const start = partStart;
    const behind = partEnd;
    if (!nextPart(behind, end)) continue;
    look(start, behind, line);
    do look(partStart, partEnd, line);
    while (nextPart(partEnd, end));
  }
  return numberCount;
}

function look(from: usize, to: usize, line: u32): void {
  const key = beginningOf(from, <i32>(to - from));
  if ((<u32>load<u8>(BEGINNINGS + (key >>> 3)) & ((<u32>1) << (key & 7))) === 0) return;
  const hash = hashOf(stemOf(<u32>(from - run), <u32>(to - run)));
  const slot = slotOf(hash);
  const place = load<u32>(slot, 4);
  if (place === 0 || load<u32>(slot, 8) === line + 1) return;
  store<u32>(slot, line + 1, 8);
  put(line);
  put(place - 1);
}

/** Where the stem with the hash is, or would be. */
function slotOf(hash: u32): usize {
  let at = hash & slotMask;
  let slot = slots + at * SLOT_BYTES;
  while (load<u32>(slot, 4) !== 0 && load<u32>(slot) !== hash) {
    at = (at + 1) & slotMask;
    slot = slots + at * SLOT_BYTES;
  }
  return slot;
}
