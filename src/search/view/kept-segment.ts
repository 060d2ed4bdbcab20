/**
 * A segment as bytes, so that the next process reads it in place of making it: its numbers as they lie in memory, and before
 * them a text that says which there are. Vectors are not in it; they are read from their rows as fast.
 */
import type { FileEntry } from '../../storage/index.ts';
import { KeyTable, type Postings, turnAround, type Segment } from './segment.ts';

/** Counted up whenever the same rows would make another segment, or lie otherwise: what an older release kept is then not read. */
const FORMAT = 2;
const STEP = 8;

type Numbers = Uint8Array | Uint32Array;

/** What is kept as it is; everything else follows from it. */
function numbersOf(segment: Segment): Record<string, Numbers> {
  const { names } = segment;
  return {
    solidLines: segment.solidLines,
    chunkOffsets: segment.chunkOffsets,
    startLines: segment.startLines,
    endLines: segment.endLines,
    lengths: segment.lengths,
    terms: segment.terms.all(),
    ...postingsOf('chunk', segment.chunkPostings),
    ...postingsOf('name', segment.namePostings),
    nameLengths: segment.nameLengths,
    ...postingsOf('path', segment.pathPostings),
    pathLengths: segment.pathLengths,
    nameOffsets: names.offsets,
    nameHashes: names.hashes,
    nameWeights: names.weights,
    nameLines: names.startLines,
    nameTermOffsets: names.termOffsets,
    nameTerms: names.terms,
    nameTable: segment.nameTable.all(),
    ...postingsOf('defined', segment.nameIndex),
    referenceOffsets: segment.referenceOffsets,
    references: segment.references,
  };
}

/** A path, a digest and the object that has them. */
const BYTES_PER_FILE = 300;

/** What it takes in memory, about. */
export function segmentBytes(segment: Segment): number {
  const numbers = Object.values(numbersOf(segment));
  return numbers.reduce((sum, { byteLength }) => sum + byteLength, segment.files.length * BYTES_PER_FILE);
}

function postingsOf(name: string, { offsets, bytes }: Postings): Record<string, Numbers> {
  return { [`${name}Offsets_`]: offsets, [`${name}Bytes_`]: bytes };
}

interface Head {
  readonly format: number;
  /** Name, bytes per number, how many. */
  readonly numbers: readonly (readonly [name: string, size: number, length: number])[];
  readonly files: readonly FileRow[];
  readonly languages: readonly string[];
}

type FileRow = readonly [
  id: number,
  path: string,
  language: number,
  lines: number,
  hash: string,
  plainBy: number,
  generation: number,
];

export function packSegment(segment: Segment): Uint8Array[] {
  const languages = [...new Set(segment.files.map(({ language }) => language))];
  const places = new Map(languages.map((language, at) => [language, at]));
  const numbers = Object.entries(numbersOf(segment));
  const head: Head = {
    format: FORMAT,
    numbers: numbers.map(([name, values]) => [name, values.BYTES_PER_ELEMENT, values.length]),
    files: segment.files.map(({ id, path, language, lines, hash, plainBy, generation }) => [
      id,
      path,
      places.get(language) ?? 0,
      lines,
      hash,
      plainBy,
      generation,
    ]),
    languages,
  };
  const body = new Uint8Array(numbers.reduce((sum, [, values]) => sum + padded(values.byteLength), 0));
  let at = 0;
  for (const [, values] of numbers) {
    body.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += padded(values.byteLength);
  }
  return [new TextEncoder().encode(JSON.stringify(head)), body];
}

/** Undefined for what another release kept. The bytes are used as they are, and must not change. */
export function unpackSegment([text, body]: readonly Uint8Array[]): Segment | undefined {
  if (text === undefined || body === undefined) return undefined;
  // The index knows the digest of what was kept: it is what `packSegment` made, if the format is this one.
  const head = JSON.parse(new TextDecoder().decode(text)) as Head;
  if (head.format !== FORMAT) return undefined;
  const all = new Map<string, Numbers>();
  let at = body.byteOffset;
  for (const [name, size, length] of head.numbers) {
    all.set(
      name,
      size === 1 ? new Uint8Array(body.buffer, at, length) : new Uint32Array(body.buffer, at, length),
    );
    at += padded(length * size);
  }
  const bytes = (name: string): Uint8Array => {
    const found = all.get(name);
    return found instanceof Uint8Array ? found : new Uint8Array();
  };
  const words = (name: string): Uint32Array => {
    const found = all.get(name);
    return found instanceof Uint32Array ? found : new Uint32Array();
  };
  const postings = (name: string): Postings => ({
    offsets: words(`${name}Offsets_`),
    bytes: bytes(`${name}Bytes_`),
  });
  const chunkOffsets = words('chunkOffsets');
  return {
    files: head.files.map((row) => toFile(row, head.languages)),
    solidLines: bytes('solidLines'),
    chunkOffsets,
    fileOfChunk: turnAround(chunkOffsets),
    startLines: words('startLines'),
    endLines: words('endLines'),
    lengths: words('lengths'),
    terms: new KeyTable(words('terms')),
    chunkPostings: postings('chunk'),
    namePostings: postings('name'),
    nameLengths: words('nameLengths'),
    pathPostings: postings('path'),
    pathLengths: words('pathLengths'),
    names: {
      offsets: words('nameOffsets'),
      hashes: words('nameHashes'),
      weights: bytes('nameWeights'),
      startLines: words('nameLines'),
      termOffsets: words('nameTermOffsets'),
      terms: words('nameTerms'),
    },
    nameTable: new KeyTable(words('nameTable')),
    nameIndex: postings('defined'),
    referenceOffsets: words('referenceOffsets'),
    references: words('references'),
  };
}

function toFile(row: FileRow, languages: readonly string[]): FileEntry {
  const [id, path, language, lines, hash, plainBy, generation] = row;
  return { id, path, language: languages[language] ?? '', lines, hash, plainBy, generation };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / STEP) * STEP;
}
