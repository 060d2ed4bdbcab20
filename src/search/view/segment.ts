/** A part of an index as search holds it in memory: made once from packed rows, never changed. */
import { openSegmentKernel, type SegmentNumbers } from '../../kernel/index.ts';
import { rowIsCut, type FileEntry, type PackedContent } from '../../storage/index.ts';
import { GrowingNumbers, KeyTable, PostingList, type Postings } from './inverted-index.ts';

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
