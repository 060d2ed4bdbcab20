/** The packed row of a file, as objects: what kernel/segment.ts reads, in a form that can be looked at. */
import type { LineRange } from '../../src/core/index.ts';
import { ByteReader } from '../../src/storage/byte-stream.ts';

/** Words with how often they occur: places in `FileTerms.terms`, ascending, and counts beside them. */
export interface TermCounts {
  readonly terms: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

export interface ChunkTerms extends LineRange, TermCounts {
  /** How many words it has in all. */
  readonly length: number;
}

/** A definition as search sees it. */
export interface NameTerms extends LineRange {
  /** Hash of the name as it is written. */
  readonly name: number;
  /** Ten times what the definition of such a thing is worth. */
  readonly weight: number;
  /** Its words and their parts: places in `FileTerms.terms`. */
  readonly terms: ArrayLike<number>;
}

export interface FileTerms {
  /** Hashes of every word of the file, ascending. */
  readonly terms: Uint32Array;
  readonly path: TermCounts;
  readonly chunks: readonly ChunkTerms[];
  readonly names: readonly NameTerms[];
  /** Hashes of the identifiers that may refer to a definition elsewhere, ascending. */
  readonly identifiers: Uint32Array;
  /** Lines that are neither blank nor comment-only braces, counted up to a limit. */
  readonly solidLines: number;
}

/**
 * Reads what kernel/file.ts packs, without making an object per word. Numbers take seven bits of a byte at a time; lists of
 * ascending numbers are their length and gaps. Nearly every count is 1 to 3: it shares a number with the gap before its word.
 */
export function unpackTerms(packed: Uint8Array): FileTerms {
  const input = new ByteReader(packed);
  const terms = input.ascending();
  const solidLines = input.number();
  const path = unpackCounts(input);
  const chunks: ChunkTerms[] = [];
  let line = 0;
  for (let left = input.number(); left > 0; left--) {
    line += input.number();
    const endLine = line + input.number();
    const length = input.number();
    const { terms: places, counts } = unpackCounts(input);
    chunks.push({ startLine: line, endLine, length, terms: places, counts });
  }
  const names: NameTerms[] = [];
  for (let left = input.number(); left > 0; left--) {
    const name = input.number();
    const weight = input.number();
    const startLine = input.number();
    const endLine = startLine + input.number();
    const places = new Uint32Array(input.number());
    for (let at = 0; at < places.length; at++) places[at] = input.number();
    names.push({ name, weight, startLine, endLine, terms: places });
  }
  return { terms, path, chunks, names, identifiers: input.ascending(), solidLines };
}

function unpackCounts(input: ByteReader): TermCounts {
  const size = input.number();
  const terms = new Uint32Array(size);
  const counts = new Uint8Array(size);
  let last = 0;
  for (let at = 0; at < size; at++) {
    const packed = input.number();
    last += packed >>> 2;
    terms[at] = last;
    const small = packed & 3;
    counts[at] = small < 3 ? small + 1 : Math.min(255, input.number() + 4);
  }
  return { terms, counts };
}
