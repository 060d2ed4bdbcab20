/** A part of an index as search holds it in memory: made once from packed rows, never changed. */
import { unpackTerms, type FileEntry, type FileTerms, type PackedContent } from '../storage/index.ts';
import { growingBytes, growingNumbers } from './growing.ts';
import { KeyTable } from '../text/index.ts';
import { createPostingsBuilder, PostingList, type Postings } from './postings.ts';

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
  /** Files that each file refers to by a name that hardly anybody else defines, numbered as in the whole view. */
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
  const solidLines = growingBytes();
  const [chunkOffsets, startLines, endLines, lengths] = [
    growingNumbers(),
    growingNumbers(),
    growingNumbers(),
    growingNumbers(),
  ];
  const terms = new KeyTable();
  const [chunkPostings, namePostings, pathPostings] = [
    createPostingsBuilder(),
    createPostingsBuilder(),
    createPostingsBuilder(),
  ];
  const [nameLengths, pathLengths] = [growingNumbers(), growingNumbers()];
  const names = createNamesBuilder();
  const identifiers: Uint32Array[] = [];

  const addTerms = (file: number, content: FileTerms): void => {
    const places = new Uint32Array(content.terms.length);
    for (let at = 0; at < places.length; at++) places[at] = terms.add(content.terms[at] ?? 0);
    let pathLength = 0;
    for (let at = 0; at < content.path.terms.length; at++) {
      const count = content.path.counts[at] ?? 0;
      pathPostings.add(places[content.path.terms[at] ?? 0] ?? 0, file, count);
      pathLength += count;
    }
    pathLengths.push(pathLength);
    for (const chunk of content.chunks) {
      const number = startLines.length;
      startLines.push(chunk.startLine);
      endLines.push(chunk.endLine);
      lengths.push(chunk.length);
      chunkPostings.addAll(places, chunk.terms, chunk.counts, number);
    }
    nameLengths.push(names.addFile(content, places, (term, count) => namePostings.add(term, file, count)));
  };

  return {
    add(file, content) {
      const unpacked = unpackTerms(content.terms);
      chunkOffsets.push(startLines.length);
      solidLines.push(unpacked.solidLines);
      identifiers.push(unpacked.identifiers);
      addTerms(files.length, unpacked);
      files.push(file);
    },
    build() {
      chunkOffsets.push(startLines.length);
      const named = names.build();
      const offsets = chunkOffsets.done();
      return {
        files,
        solidLines: solidLines.done(),
        chunkOffsets: offsets,
        fileOfChunk: turnAround(offsets),
        startLines: startLines.done(),
        endLines: endLines.done(),
        lengths: lengths.done(),
        terms,
        chunkPostings: chunkPostings.build(terms.size),
        namePostings: namePostings.build(terms.size),
        nameLengths: nameLengths.done(),
        pathPostings: pathPostings.build(terms.size),
        pathLengths: pathLengths.done(),
        ...named,
        ...resolveReferences(identifiers, [...(base === undefined ? [] : [base]), { ...named, files }]),
      };
    },
  };
}

interface NamesBuilder {
  /** Gives how many words the file's definitions have. */
  addFile(content: FileTerms, places: Uint32Array, post: (term: number, count: number) => void): number;
  build(): Pick<Segment, 'names' | 'nameTable' | 'nameIndex'>;
}

const MOST_COUNT = 255;

function createNamesBuilder(): NamesBuilder {
  const [offsets, hashes, startLines, termOffsets, terms] = [
    growingNumbers(),
    growingNumbers(),
    growingNumbers(),
    growingNumbers(),
    growingNumbers(),
  ];
  const weights = growingBytes();
  const nameTable = new KeyTable();
  const nameIndex = createPostingsBuilder();
  return {
    addFile(content, places, post) {
      offsets.push(hashes.length);
      const counts = new Map<number, number>();
      let length = 0;
      for (const name of content.names) {
        nameIndex.add(nameTable.add(name.name), hashes.length, 1);
        hashes.push(name.name);
        weights.push(name.weight);
        startLines.push(name.startLine);
        termOffsets.push(terms.length);
        for (let at = 0; at < name.terms.length; at++) {
          const term = places[name.terms[at] ?? 0] ?? 0;
          terms.push(term);
          counts.set(term, (counts.get(term) ?? 0) + 1);
          length += 1;
        }
      }
      for (const [term, count] of counts) post(term, Math.min(MOST_COUNT, count));
      return length;
    },
    build() {
      offsets.push(hashes.length);
      termOffsets.push(terms.length);
      return {
        names: {
          offsets: offsets.done(),
          hashes: hashes.done(),
          weights: weights.done(),
          startLines: startLines.done(),
          termOffsets: termOffsets.done(),
          terms: terms.done(),
        },
        nameTable,
        nameIndex: nameIndex.build(nameTable.size),
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

/** From where the parts of each whole begin, to the whole that each part is of. */
export function turnAround(offsets: Uint32Array): Uint32Array {
  const wholes = new Uint32Array(offsets.at(-1) ?? 0);
  for (let at = 0; at + 1 < offsets.length; at++) wholes.fill(at, offsets[at], offsets[at + 1]);
  return wholes;
}

type NamedFiles = Pick<Segment, 'names' | 'nameIndex' | 'nameTable' | 'files'>;

/** From the identifiers of each file to the files they lead to, each once, never to itself. */
function resolveReferences(
  identifiers: readonly Uint32Array[],
  named: readonly NamedFiles[],
): Pick<Segment, 'referenceOffsets' | 'references'> {
  const segments = named.map((one) => ({ ...one, leads: findLeads(one) }));
  const offsets = growingNumbers();
  const references = growingNumbers();
  const firstOwn = segments.slice(0, -1).reduce((sum, { files }) => sum + files.length, 0);
  identifiers.forEach((hashes, local) => {
    offsets.push(references.length);
    const targets = new Set<number>();
    for (const hash of hashes) {
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
  });
  offsets.push(references.length);
  return { referenceOffsets: offsets.done(), references: references.done() };
}
