/** The vectors of a file as they are packed: one for its path, one for itself, one for each chunk; scales behind all of them. */
import { take } from './memory';
import { dimensions } from './model';
import { endVector, normalize, quantizeTo, vector } from './vectors';

let packed: usize = 0;
let room: usize = 0;
/** Those of the file that is being packed. */
let count: u32 = 0;
/** The sum of all chunks'. */
let whole: usize = 0;

const PATH: u32 = 0;
const FILE: u32 = 1;
const FIRST_CHUNK: u32 = 2;

export function useFileVectors(): void {
  whole = take(dimensions * 4);
}

/** What was added by now is the path. */
export function beginVectors(chunkCount: u32): void {
  count = chunkCount + FIRST_CHUNK;
  const bytes = <usize>count * (dimensions + 4);
  if (bytes > room) {
    room = bytes * 2;
    packed = take(room);
  }
  memory.fill(whole, 0, dimensions * 4);
  endVector();
  pack(PATH, vector);
}

/** What was added since the last is a chunk. */
export function endChunkVector(chunk: u32): void {
  endVector();
  for (let d = 0; d < dimensions; d++) {
    const sum = whole + d * 4;
    store<f32>(sum, load<f32>(sum) + load<f32>(vector + d * 4));
  }
  pack(FIRST_CHUNK + chunk, vector);
}

export function endVectors(): void {
  normalize(whole);
  pack(FILE, whole);
}

function pack(row: u32, from: usize): void {
  const scale = quantizeTo(packed + row * dimensions, from);
  store<f32>(packed + count * dimensions + row * 4, scale);
}

/** Where those of the last file are. */
export function packedVectors(): usize {
  return packed;
}
