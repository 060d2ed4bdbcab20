/**
 * A file's words and vectors, packed as kernel/segment.ts and src/storage/file-vectors.ts read them. What the host gives: a text of
 * UTF-16 units in which everything lies that has words, each piece with something behind it that is in no word, and a table of where.
 *
 * Words: hashes of all of them; how many lines are not blank; those of the path with their counts; each chunk's lines, length and words
 * with their counts; each definition's name, weight, lines and words; identifiers. Lists of ascending numbers are their length and the
 * gaps; words are named by their place among the hashes. Nearly every count is 1 to 3: it shares a number with the gap before its word.
 */
import { beginVectors, endChunkVector, endVectors, useFileVectors } from './file-vectors';
import { moveTo, take } from './memory';
import { addIdentifier, beginIdentifiers, identifierCount, writeIdentifiers } from './identifiers';
import { rowCount, useModel, vocabularySize } from './model';
import {
  addToList,
  beginPostings,
  endList,
  entryCount,
  fileTermCount,
  forgetPostings,
  lengthOf,
  noteWord,
  rankAll,
  writeList,
  writeRanks,
  writeTerms,
} from './postings';
import { finishHash, FNV_PRIME, FNV_START } from './letters';
import { writeTrigrams } from './trigrams';
import { addToVector, endVector, useVectors, vector } from './vectors';
import { forgetWords, isFull, readWords, sequence, W_FILE, W_IDENTIFIER, W_SEEN, wordAt } from './words';
import { beginWriting, NUMBER_BYTES, out, writeNumber, writtenBytes } from './writer';

let text: usize = take(131_072);
let textRoom: u32 = 65_536;
let table: usize = take(16_384);
let tableRoom: u32 = 4096;

// The table: numbers of 32 bits. Places are units of the text, ends are behind the last.
const CHUNKS: usize = 0;
const NAMES: usize = 4;
const SOLID_LINES: usize = 8;
/** Name of the file, its folders, what counts in each chunk's vector, and what the path's own vector is made of: from and to. */
const STEM: usize = 12;
const FOLDERS: usize = 20;
const OWN: usize = 28;
const PLACE: usize = 36;
const HEAD_BYTES: usize = 44;
/** First line, last line, from, to. */
const CHUNK_BYTES: u32 = 16;
/** Weight, first line, last line, from, to. */
const NAME_BYTES: u32 = 20;

/** Words of the pieces that are used again and again: where their numbers lie, and how many there are. */
let kept: usize = take(4096 * 4);
let keptRoom: u32 = 4096;
let keptCount: u32 = 0;

let file: u32 = 0;

/** Where a text of so many units may be written. One more is room for what ends it. */
export function reserveText(units: u32): usize {
  if (units + 1 > textRoom) {
    textRoom = (units + 1) * 2;
    text = take(textRoom * 2);
  }
  store<u16>(text + units * 2, 0);
  return text;
}

/** Where a table of so many numbers may be written. */
export function reserveTable(numbers: u32): usize {
  if (numbers > tableRoom) {
    tableRoom = numbers * 2;
    table = take(tableRoom * 4);
  }
  return table;
}

export function reserveModel(bytes: u32): usize {
  return take(bytes);
}

/** How many words the vocabulary has, or -1. Words that were read before have no rows, so this comes first. */
export function takeModel(at: usize, count: i32, width: i32, vocabularyBytes: i32): i32 {
  useModel(at, count, width, vocabularyBytes);
  useVectors();
  useFileVectors();
  return vocabularySize;
}

/** Packs the file that text and table tell of; gives how many bytes its words take, from `written` on. */
export function packFile(): u32 {
  makeRoom();
  file += 1;
  beginPostings();
  keptCount = 0;
  beginIdentifiers();
  const chunkCount = load<u32>(table, CHUNKS);
  const nameCount = load<u32>(table, NAMES);
  const chunks = table + HEAD_BYTES;
  const names = chunks + chunkCount * CHUNK_BYTES;
  const stemEnd = keep(table + STEM);
  const foldersEnd = keep(table + FOLDERS);
  const ownEnd = keep(table + OWN);
  const hasVectors = rowCount > 0;
  if (hasVectors) {
    addText(table + PLACE);
    beginVectors(chunkCount);
  }

  addPath(stemEnd, foldersEnd);
  endList();
  for (let i: u32 = 0; i < chunkCount; i++) {
    addPath(stemEnd, foldersEnd);
    // Where a file is counts twice in each of its parts.
    if (hasVectors) for (let at = foldersEnd; at < ownEnd; at++) addToVector(keptAt(at), 2);
    countWords(chunks + i * CHUNK_BYTES + 8, hasVectors);
    endList();
    if (hasVectors) endChunkVector(i);
  }
  let nameTerms: u32 = 0;
  for (let i: u32 = 0; i < nameCount; i++) {
    const size = readPiece(names + i * NAME_BYTES + 12);
    for (let at: u32 = 0; at < size; at++) nameTerms += noteWord(wordAt(load<u32>(sequence + at * 4)));
  }
  if (hasVectors) endVectors();
  rankAll();

  const most = fileTermCount + entryCount * 2 + chunkCount * 4 + nameCount * 5 + nameTerms + identifierCount;
  beginWriting((<usize>most + 8) * NUMBER_BYTES);
  writeTerms();
  writeNumber(load<u32>(table, SOLID_LINES));
  writeList(0);
  writeChunks(chunks, chunkCount);
  writeNames(names, nameCount);
  writeIdentifiers();
  return writtenBytes();
}

function makeRoom(): void {
  if (!isFull()) return;
  forgetWords();
  forgetPostings();
}

/** Reads the words of a piece, named by where its two places stand; gives how many there are in `sequence`. */
function readPiece(places: usize): u32 {
  return readWords(text + load<u32>(places) * 2, text + load<u32>(places, 4) * 2);
}

/** Reads a piece whose words are used again; gives the end of all that is kept by now. */
function keep(places: usize): u32 {
  const size = readPiece(places);
  if (keptCount + size > keptRoom) {
    keptRoom = (keptCount + size) * 2;
    kept = moveTo(keptRoom * 4, kept, keptCount * 4);
  }
  memory.copy(kept + keptCount * 4, sequence, size * 4);
  keptCount += size;
  return keptCount;
}

function keptAt(at: u32): usize {
  return wordAt(load<u32>(kept + at * 4));
}

function addPath(stemEnd: u32, foldersEnd: u32): void {
  for (let at: u32 = 0; at < stemEnd; at++) addToList(keptAt(at), 2);
  for (let at = stemEnd; at < foldersEnd; at++) addToList(keptAt(at), 1);
}

/** The different words of a piece in the order in which they first occur, each with how often it does. */
function countWords(places: usize, hasVectors: bool): void {
  const size = readPiece(places);
  let different: u32 = 0;
  for (let at: u32 = 0; at < size; at++) {
    const number = load<u32>(sequence + at * 4);
    const word = wordAt(number);
    const before = load<u32>(word, W_SEEN);
    // What was read is not needed again: the different words move to the front.
    if (before === 0) store<u32>(sequence + different++ * 4, number);
    store<u32>(word, before + 1, W_SEEN);
  }
  for (let at: u32 = 0; at < different; at++) {
    const word = wordAt(load<u32>(sequence + at * 4));
    const times = load<u32>(word, W_SEEN);
    store<u32>(word, 0, W_SEEN);
    addToList(word, times);
    if (hasVectors) addToVector(word, times);
    if (load<u32>(word, W_FILE) === file) continue;
    store<u32>(word, file, W_FILE);
    const identifier = load<u32>(word, W_IDENTIFIER);
    if (identifier !== 0) addIdentifier(identifier);
  }
}

/** To the vector that is being made. */
function addText(places: usize): void {
  const size = readPiece(places);
  for (let at: u32 = 0; at < size; at++) addToVector(wordAt(load<u32>(sequence + at * 4)), 1);
}

function writeChunks(chunks: usize, count: u32): void {
  writeNumber(count);
  let line: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const chunk = chunks + i * CHUNK_BYTES;
    const startLine = load<u32>(chunk);
    writeNumber(startLine - line);
    writeNumber(load<u32>(chunk, 4) - startLine);
    writeNumber(lengthOf(i + 1));
    writeList(i + 1);
    line = startLine;
  }
}

function writeNames(names: usize, count: u32): void {
  writeNumber(count);
  for (let i: u32 = 0; i < count; i++) {
    const name = names + i * NAME_BYTES;
    const startLine = load<u32>(name, 4);
    writeNumber(hashPiece(name + 12));
    writeNumber(load<u32>(name));
    writeNumber(startLine);
    writeNumber(load<u32>(name, 8) - startLine);
    const size = readPiece(name + 12);
    writeRanks(sequence, size);
  }
}

/** As kernel/tokens.ts hashes a name that is asked for. */
function hashPiece(places: usize): u32 {
  let hash = FNV_START;
  const end = text + load<u32>(places, 4) * 2;
  for (let at = text + load<u32>(places) * 2; at < end; at += 2)
    hash = (hash ^ <u32>load<u16>(at)) * FNV_PRIME;
  return finishHash(hash);
}

export { packedVectors } from './file-vectors';

/** Where what was written last begins. */
export function written(): usize {
  return out;
}

/** Packs the runs of three characters of the text, which is in lower case; gives how many bytes they take. */
export function packTrigrams(units: u32): u32 {
  writeTrigrams(text, units);
  return writtenBytes();
}

/** The vector of the text, as floats. */
export function encodeText(units: u32): usize {
  makeRoom();
  const size = readWords(text, text + units * 2);
  for (let at: u32 = 0; at < size; at++) addToVector(wordAt(load<u32>(sequence + at * 4)), 1);
  endVector();
  return vector;
}
