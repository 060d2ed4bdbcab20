/**
 * Lists of terms with their counts, gathered for one file and then brought into order at once: terms by their hashes, and each
 * list by the rank of its terms. Going through all entries by rank gives every list in order, with no sorting of its own.
 */
import { LARGEST_COUNT, MOST_IN_GAP } from './counts';
import { moveTo, take } from './memory';
import { sortPairs } from './sort';
import { T_COUNT, T_HASH, T_RANK, termAt, termsFrom, termsTo, wordAt } from './words';
import { writeNumber } from './writer';

// Entries of all lists, one behind the other: a term and its count.
let entries: usize = take(16_384 * 8);
let entryRoom: u32 = 16_384;
export let entryCount: u32 = 0;
let listStart: u32 = 0;
// Of a list: behind its last entry, and how many words it has in all.
let lists: usize = take(1024 * 8);
let listRoom: u32 = 1024;
let listCount: u32 = 0;
let listLength: u32 = 0;
/** Terms of the file, each once: hash and number. */
let fileTerms: usize = take(8192 * 8);
let fileTermRoom: u32 = 8192;
export let fileTermCount: u32 = 0;
/** The same in order. */
let sorted: usize = 0;

// Room for bringing entries into order, by entry.
let order: usize = 0;
let listOf: usize = 0;
let ranked: usize = 0;
let orderRoom: u32 = 0;
/** By rank. */
let places: usize = 0;
let placeRoom: u32 = 0;
/** By list. */
let nextOf: usize = 0;
let nextRoom: u32 = 0;

export function beginPostings(): void {
  for (let i: u32 = 0; i < fileTermCount; i++) store<u32>(termAt(load<u32>(fileTerms + i * 8, 4)), 0, T_RANK);
  entryCount = 0;
  listStart = 0;
  listCount = 0;
  listLength = 0;
  fileTermCount = 0;
}

/** Terms are forgotten: none of them has a rank. */
export function forgetPostings(): void {
  fileTermCount = 0;
}

/** A word of the list that is open. */
export function addToList(word: usize, times: u32): void {
  const end = termsTo(word);
  const from = termsFrom(word);
  for (let place = from; place < end; place += 4) {
    const number = load<u32>(place);
    const term = termAt(number);
    const before = load<u32>(term, T_COUNT);
    store<u32>(term, before + times, T_COUNT);
    if (before === 0) addEntry(number, term);
  }
  listLength += <u32>((end - from) >>> 2) * times;
}

function addEntry(number: u32, term: usize): void {
  if (entryCount === entryRoom) {
    entryRoom *= 2;
    entries = moveTo(entryRoom * 8, entries, entryCount * 8);
  }
  store<u32>(entries + entryCount * 8, number);
  entryCount += 1;
  noteTerm(number, term);
}

function noteTerm(number: u32, term: usize): void {
  if (load<u32>(term, T_RANK) !== 0) return;
  store<u32>(term, 1, T_RANK);
  if (fileTermCount === fileTermRoom) {
    fileTermRoom *= 2;
    fileTerms = moveTo(fileTermRoom * 8, fileTerms, fileTermCount * 8);
  }
  store<u32>(fileTerms + fileTermCount * 8, load<u32>(term, T_HASH));
  store<u32>(fileTerms + fileTermCount * 8, number, 4);
  fileTermCount += 1;
}

/** Terms of a word that are in the file, though they may be in none of its lists; gives how many. */
export function noteWord(word: usize): u32 {
  const end = termsTo(word);
  const from = termsFrom(word);
  for (let place = from; place < end; place += 4) {
    const number = load<u32>(place);
    noteTerm(number, termAt(number));
  }
  return <u32>((end - from) >>> 2);
}

export function endList(): void {
  for (let at = listStart; at < entryCount; at++) {
    const entry = entries + at * 8;
    const term = termAt(load<u32>(entry));
    store<u32>(entry, min(LARGEST_COUNT, load<u32>(term, T_COUNT)), 4);
    store<u32>(term, 0, T_COUNT);
  }
  if (listCount === listRoom) {
    listRoom *= 2;
    lists = moveTo(listRoom * 8, lists, listCount * 8);
  }
  store<u32>(lists + listCount * 8, entryCount);
  store<u32>(lists + listCount * 8, listLength, 4);
  listCount += 1;
  listStart = entryCount;
  listLength = 0;
}

/** All words of the file were added or noted: gives every term its rank, and every list its order. */
export function rankAll(): void {
  sorted = sortPairs(fileTerms, fileTermCount);
  for (let rank: u32 = 0; rank < fileTermCount; rank++)
    store<u32>(termAt(load<u32>(sorted + rank * 8, 4)), rank + 1, T_RANK);
  if (entryCount > orderRoom) {
    orderRoom = entryCount * 2;
    order = take(orderRoom * 4);
    listOf = take(orderRoom * 4);
    ranked = take(orderRoom * 8);
  }
  if (fileTermCount + 2 > placeRoom) {
    placeRoom = (fileTermCount + 2) * 2;
    places = take(placeRoom * 4);
  }
  if (listCount > nextRoom) {
    nextRoom = listCount * 2;
    nextOf = take(nextRoom * 4);
  }
  // Where the entries of each rank begin; moved on as they are placed.
  memory.fill(places, 0, (fileTermCount + 2) * 4);
  for (let at: u32 = 0; at < entryCount; at++) {
    const entry = entries + at * 8;
    const rank = load<u32>(termAt(load<u32>(entry)), T_RANK);
    store<u32>(entry, rank);
    const place = places + (rank + 1) * 4;
    store<u32>(place, load<u32>(place) + 1);
  }
  for (let rank: u32 = 1; rank < fileTermCount + 2; rank++)
    store<u32>(places + rank * 4, load<u32>(places + rank * 4) + load<u32>(places + (rank - 1) * 4));
  let list: u32 = 0;
  for (let at: u32 = 0; at < entryCount; at++) {
    while (at >= load<u32>(lists + list * 8)) list += 1;
    const place = places + load<u32>(entries + at * 8) * 4;
    const free = load<u32>(place);
    store<u32>(place, free + 1);
    store<u32>(order + free * 4, at);
    store<u32>(listOf + at * 4, list);
  }
  for (let i: u32 = 0; i < listCount; i++) store<u32>(nextOf + i * 4, startOf(i));
  for (let at: u32 = 0; at < entryCount; at++) {
    const entry = load<u32>(order + at * 4);
    const next = nextOf + load<u32>(listOf + entry * 4) * 4;
    const free = load<u32>(next);
    store<u32>(next, free + 1);
    store<u64>(ranked + free * 8, load<u64>(entries + entry * 8));
  }
}

function startOf(list: u32): u32 {
  return list === 0 ? 0 : load<u32>(lists + (list - 1) * 8);
}

/** Of the term of a word, in the file. */
function rankAt(place: usize): u32 {
  return load<u32>(termAt(load<u32>(place)), T_RANK) - 1;
}

export function lengthOf(list: u32): u32 {
  return load<u32>(lists + list * 8, 4);
}

/** Hashes of all terms of the file, ascending, as gaps. */
export function writeTerms(): void {
  writeNumber(fileTermCount);
  let last: u32 = 0;
  for (let rank: u32 = 0; rank < fileTermCount; rank++) {
    const hash = load<u32>(sorted + rank * 8);
    writeNumber(hash - last);
    last = hash;
  }
}

/** Nearly every count is 1 to 3: it shares a number with the gap before the term. */
export function writeList(list: u32): void {
  const from = startOf(list);
  const end = load<u32>(lists + list * 8);
  writeNumber(end - from);
  let last: u32 = 0;
  for (let at = from; at < end; at++) {
    const entry = ranked + at * 8;
    const rank = load<u32>(entry) - 1;
    const count = load<u32>(entry, 4);
    writeNumber((rank - last) * 4 + min(count - 1, MOST_IN_GAP));
    if (count > MOST_IN_GAP) writeNumber(count - MOST_IN_GAP - 1);
    last = rank;
  }
}

/** The ranks of the terms of some words, one after the other, and before them how many there are. */
export function writeRanks(numbers: usize, size: u32): void {
  let count: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    const word = wordAt(load<u32>(numbers + at * 4));
    count += <u32>((termsTo(word) - termsFrom(word)) >>> 2);
  }
  writeNumber(count);
  for (let at: u32 = 0; at < size; at++) {
    const word = wordAt(load<u32>(numbers + at * 4));
    const end = termsTo(word);
    for (let place = termsFrom(word); place < end; place += 4) writeNumber(rankAt(place));
  }
}
