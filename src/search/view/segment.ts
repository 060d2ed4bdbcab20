/** A segment of the view: the inverted index of some files and their vectors. */
import { type BuiltPostings, openSegmentKernel, type SegmentNumbers } from '../../kernel/index.ts';
import { rowIsCut, type FileEntry, type PackedContent } from '../../storage/index.ts';

const FIRST_SLOTS = 1024;
/** So many questions cost less by looking through all keys than giving every key its slot does. */
const FEW_QUESTIONS = 64;

export class KeyTable {
  readonly size: number;
  /** By number. */
  private readonly keys: Uint32Array;
  /** A key's number plus one; 0 is free. */
  private slots = new Uint32Array(0);
  /** How often it may still be asked before keys get their slots. */
  private unplaced = FEW_QUESTIONS;

  /** Each key, all of them distinct, has its place in the list as its number. One that is asked a few times, as by a command, stays a list. */
  constructor(keys: Uint32Array) {
    this.keys = keys;
    this.size = keys.length;
  }

  /** Every key, by its number. */
  all(): Uint32Array {
    return this.keys;
  }

  /** -1 for a key that is not there. */
  get(key: number): number {
    if (this.unplaced > 0) {
      this.unplaced -= 1;
      if (this.unplaced > 0) return this.keys.indexOf(key);
      this.place(slotsFor(this.size));
    }
    return (this.slots[this.slotOf(key)] ?? 0) - 1;
  }

  /** Where the key is, or would be. Keys are hashes: their low bits are as good as any. */
  private slotOf(key: number): number {
    const { keys, slots } = this;
    const mask = slots.length - 1;
    let slot = key & mask;
    for (let found = slots[slot] ?? 0; found > 0 && keys[found - 1] !== key; found = slots[slot] ?? 0)
      slot = (slot + 1) & mask;
    return slot;
  }

  /** Keys are distinct: each goes to the next free slot. */
  private place(count: number): void {
    const { keys, size } = this;
    const slots = new Uint32Array(count);
    const mask = count - 1;
    for (let at = 0; at < size; at++) {
      let slot = (keys[at] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = at + 1;
    }
    this.slots = slots;
  }
}

/** At least twice as many as there are keys. */
function slotsFor(keys: number): number {
  let slots = FIRST_SLOTS;
  while (slots < keys * 2) slots *= 2;
  return slots;
}

/**
 * One list per term, in a byte or two for each document: how many there are, then for each the gap to the one before it with
 * its count in the two lowest bits; a count above 3 follows as a number of its own. Numbers have seven bits in a byte, the lowest
 * first. A quarter of the memory that plain numbers take, and no slower to read.
 */
export type Postings = BuiltPostings;

const NO_DOCUMENTS = new Uint32Array(0);
const NO_COUNTS = new Uint8Array(0);

/** Where a list is read to; used again for the next one. */
export class PostingList {
  size = 0;
  documents = NO_DOCUMENTS;
  counts = NO_COUNTS;

  /** Empty for a term that is not there. */
  read({ offsets, bytes }: Postings, term: number): this {
    this.size = 0;
    if (term < 0) return this;
    let at = offsets[term] ?? 0;
    if (at === (offsets[term + 1] ?? 0)) return this;
    let byte = 0;
    let value = 0;
    let shift = 0;
    do {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    const size = value;
    if (this.documents.length < size) this.grow(size);
    const { documents, counts } = this;
    let document = 0;
    for (let place = 0; place < size; place++) {
      byte = bytes[at++] ?? 0;
      value = byte & 127;
      for (shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      document += value >>> 2;
      documents[place] = document;
      let count = (value & 3) + 1;
      if (count > 3) {
        // It fits in two bytes: counts end at 255.
        byte = bytes[at++] ?? 0;
        count = 4 + (byte & 127);
        if (byte > 127) count += (bytes[at++] ?? 0) << 7;
      }
      counts[place] = count;
    }
    this.size = size;
    return this;
  }

  private grow(size: number): void {
    this.documents = new Uint32Array(size + (size >> 1));
    this.counts = new Uint8Array(size + (size >> 1));
  }
}

/** How many documents a term is in. */
export function postingCount({ offsets, bytes }: Postings, term: number): number {
  if (term < 0) return 0;
  let at = offsets[term] ?? 0;
  if (at === (offsets[term + 1] ?? 0)) return 0;
  let byte = 0;
  let value = 0;
  let shift = 0;
  do {
    byte = bytes[at++] ?? 0;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value;
}

export class GrowingNumbers {
  length = 0;
  private values = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  /** What was pushed so far, until more is. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }

  /** A copy of exactly what was pushed. */
  done(): Uint32Array {
    return this.values.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint32Array(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}

/** The definitions of all files, one after the other. */
export interface Names {
  /** Where a file's definitions begin; one more entry than there are files. */
  readonly offsets: Uint32Array;
  readonly hashes: Uint32Array;
  /** In tenths. */
  readonly weights: Uint8Array;
  readonly startLines: Uint32Array;
  /** Where a definition's terms begin. */
  readonly termOffsets: Uint32Array;
  readonly terms: Uint32Array;
}

export interface Segment {
  readonly files: readonly FileEntry[];
  readonly solidLines: Uint8Array;
  /** Where a file's chunks begin; one more entry than there are files. */
  readonly chunkOffsets: Uint32Array;
  /** The other way round. */
  readonly fileOfChunk: Uint32Array;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  /** Words per chunk. */
  readonly lengths: Uint32Array;
  readonly terms: KeyTable;
  readonly chunkPostings: Postings;
  /** Of names that a file defines; documents are files. */
  readonly namePostings: Postings;
  readonly nameLengths: Uint32Array;
  readonly pathPostings: Postings;
  readonly pathLengths: Uint32Array;
  readonly names: Names;
  /** Name hash → definitions, as places in `names`. */
  readonly nameTable: KeyTable;
  readonly nameIndex: Postings;
  /** Files that each file refers to by a name that hardly any other defines, numbered as in the whole view. */
  readonly referenceOffsets: Uint32Array;
  readonly references: Uint32Array;
}

export interface SegmentBuilder {
  add(file: FileEntry, content: PackedContent): void;
  build(): Segment;
}

/** `base`: the segment before this one, whose names its files may refer to. */
export function createSegmentBuilder(base?: Segment): SegmentBuilder {
  const files: FileEntry[] = [];
  const kernel = openSegmentKernel();
  return {
    add(file, { terms }) {
      if (!kernel.add(terms)) throw rowIsCut();
      files.push(file);
    },
    build() {
      const numbers = kernel.build();
      const { solidLines, chunkOffsets, startLines, endLines, lengths } = numbers;
      const { chunkPostings, namePostings, nameLengths, pathPostings, pathLengths } = numbers;
      const named: NamedFiles = {
        files,
        names: {
          offsets: numbers.nameOffsets,
          hashes: numbers.nameHashes,
          weights: numbers.nameWeights,
          startLines: numbers.nameLines,
          termOffsets: numbers.nameTermOffsets,
          terms: numbers.nameTerms,
        },
        nameTable: new KeyTable(numbers.names),
        nameIndex: numbers.namePlaces,
      };
      return {
        ...named,
        solidLines,
        chunkOffsets,
        fileOfChunk: turnAround(chunkOffsets),
        startLines,
        endLines,
        lengths,
        terms: new KeyTable(numbers.terms),
        chunkPostings,
        namePostings,
        nameLengths,
        pathPostings,
        pathLengths,
        ...resolveReferences(numbers, [...(base === undefined ? [] : [base]), named]),
      };
    },
  };
}

/** A reference to a name tells something if it is defined as more than a constant, in hardly any file. */
const LEADING = { mostFiles: 2, leastWeight: 10 } as const;

/** Where a name leads: one file or two of the segment, each plus one; 0 for none. Two entries per name. */
function findLeads({ names: { offsets, weights }, nameIndex, nameTable }: NamedFiles): Uint32Array {
  const fileOf = turnAround(offsets);
  const leads = new Uint32Array(nameTable.size * LEADING.mostFiles);
  const list = new PostingList();
  for (let name = 0; name < nameTable.size; name++) {
    const { documents, size } = list.read(nameIndex, name);
    const files: number[] = [];
    for (let at = 0; at < size && files.length <= LEADING.mostFiles; at++) {
      const definition = documents[at] ?? 0;
      const file = fileOf[definition] ?? 0;
      if ((weights[definition] ?? 0) >= LEADING.leastWeight && !files.includes(file)) files.push(file);
    }
    if (files.length <= LEADING.mostFiles)
      leads.set(
        files.map((file) => file + 1),
        name * LEADING.mostFiles,
      );
  }
  return leads;
}

/** Where the parts of one whole begin, and where they end. */
export function spanOf(
  offsets: Uint32Array,
  whole: number,
): { readonly start: number; readonly end: number } {
  return { start: offsets[whole] ?? 0, end: offsets[whole + 1] ?? 0 };
}

/** From where the parts of each whole begin, to the whole that each part is of. */
export function turnAround(offsets: Uint32Array): Uint32Array {
  const wholes = new Uint32Array(offsets.at(-1) ?? 0);
  for (let at = 0; at + 1 < offsets.length; at++) wholes.fill(at, offsets[at], offsets[at + 1]);
  return wholes;
}

type NamedFiles = Pick<Segment, 'names' | 'nameIndex' | 'nameTable' | 'files'>;

/** From the identifiers of each file to the files they lead to, each once, never to itself. */
function resolveReferences(
  { identifierOffsets, identifiers }: Pick<SegmentNumbers, 'identifierOffsets' | 'identifiers'>,
  named: readonly NamedFiles[],
): Pick<Segment, 'referenceOffsets' | 'references'> {
  const segments = named.map((one) => ({ ...one, leads: findLeads(one) }));
  const offsets = new GrowingNumbers();
  const references = new GrowingNumbers();
  const firstOwn = segments.slice(0, -1).reduce((sum, { files }) => sum + files.length, 0);
  for (let local = 0; local + 1 < identifierOffsets.length; local++) {
    offsets.push(references.length);
    const targets = new Set<number>();
    for (const hash of identifiers.subarray(identifierOffsets[local], identifierOffsets[local + 1])) {
      let first = 0;
      for (const { nameTable, leads, files } of segments) {
        const name = nameTable.get(hash);
        for (let at = 0; name >= 0 && at < LEADING.mostFiles; at++) {
          const lead = leads[name * LEADING.mostFiles + at] ?? 0;
          if (lead > 0) targets.add(first + lead - 1);
        }
        first += files.length;
      }
    }
    targets.delete(firstOwn + local);
    for (const target of targets) references.push(target);
  }
  offsets.push(references.length);
  return { referenceOffsets: offsets.done(), references: references.done() };
}

/** Whether rows that another program made can be read to their ends, and searched. */
export function areWholeRows(rows: readonly Uint8Array[]): boolean {
  const kernel = openSegmentKernel();
  if (!rows.every((row) => kernel.add(row))) return false;
  try {
    kernel.build();
    return true;
  } catch {
    return false;
  }
}
