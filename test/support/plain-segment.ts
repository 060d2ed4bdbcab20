/** What kernel/segment.ts makes of the rows of files, made in the plainest way. */
import type { BuiltPostings, SegmentNumbers } from '../../src/kernel/index.ts';
import { unpackTerms, type FileTerms, type TermCounts } from './unpack-terms.ts';

const MOST = 255;

export interface Posting {
  readonly term: number;
  readonly document: number;
  readonly count: number;
}

export function plainSegment(rows: readonly Uint8Array[]): SegmentNumbers {
  const files = rows.map(unpackTerms);
  const chunks = files.flatMap((file) => file.chunks.map((chunk) => ({ file, chunk })));
  const definitions = files.flatMap((file) => file.names.map((name) => ({ file, name })));
  const terms = numbered(files.flatMap((file) => [...file.terms]));
  const names = numbered(definitions.map(({ name }) => name.name));
  const numberIn = (file: FileTerms, place: number): number => terms.get(file.terms[place] ?? -1) ?? -1;
  const nameTermsOf = (file: FileTerms): number[] =>
    file.names.flatMap((name) => Array.from(name.terms, (place) => numberIn(file, place)));
  const counted = (file: FileTerms, { terms: places, counts }: TermCounts, document: number): Posting[] =>
    Array.from(places, (place, at) => ({ term: numberIn(file, place), document, count: counts[at] ?? 0 }));
  const inChunks = chunks.flatMap(({ file, chunk }, document) => counted(file, chunk, document));
  const inPaths = files.flatMap((file, document) => counted(file, file.path, document));
  const inNames = files.flatMap((file, document) => {
    const counts = new Map<number, number>();
    for (const term of nameTermsOf(file)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return [...counts].map(([term, count]) => ({ term, document, count: Math.min(MOST, count) }));
  });
  const defined = definitions.map(({ name }, document) => ({
    term: names.get(name.name) ?? -1,
    document,
    count: 1,
  }));
  return {
    solidLines: Uint8Array.from(files, (file) => file.solidLines),
    chunkOffsets: offsets(files, (file) => file.chunks.length),
    startLines: Uint32Array.from(chunks, ({ chunk }) => chunk.startLine),
    endLines: Uint32Array.from(chunks, ({ chunk }) => chunk.endLine),
    lengths: Uint32Array.from(chunks, ({ chunk }) => chunk.length),
    terms: Uint32Array.from(terms.keys()),
    chunkPostings: packPlainly(inChunks, terms.size),
    namePostings: packPlainly(inNames, terms.size),
    nameLengths: Uint32Array.from(files, (file) => nameTermsOf(file).length),
    pathPostings: packPlainly(inPaths, terms.size),
    pathLengths: Uint32Array.from(files, ({ path }) => Array.from(path.counts).reduce((a, b) => a + b, 0)),
    nameOffsets: offsets(files, (file) => file.names.length),
    nameHashes: Uint32Array.from(definitions, ({ name }) => name.name),
    nameWeights: Uint8Array.from(definitions, ({ name }) => name.weight),
    nameLines: Uint32Array.from(definitions, ({ name }) => name.startLine),
    nameTermOffsets: offsets(definitions, ({ name }) => name.terms.length),
    nameTerms: Uint32Array.from(files.flatMap(nameTermsOf)),
    names: Uint32Array.from(names.keys()),
    namePlaces: packPlainly(defined, names.size),
    identifierOffsets: offsets(files, (file) => file.identifiers.length),
    identifiers: Uint32Array.from(files.flatMap((file) => [...file.identifiers])),
  };
}

/** Each key once, with how many came before it. */
function numbered(keys: readonly number[]): Map<number, number> {
  return new Map([...new Set(keys)].map((key, at) => [key, at]));
}

function offsets<T>(wholes: readonly T[], parts: (whole: T) => number): Uint32Array {
  let sum = 0;
  return Uint32Array.from([0, ...wholes.map((whole) => (sum += parts(whole)))]);
}

/** Documents of a term come in ascending order. */
export function packPlainly(postings: readonly Posting[], terms: number): BuiltPostings {
  const lists = Array.from({ length: terms }, (): Posting[] => []);
  for (const posting of postings) lists[posting.term]?.push(posting);
  const bytes: number[] = [];
  const starts = lists.map((list) => {
    const start = bytes.length;
    if (list.length > 0) bytes.push(...sevenBits(list.length));
    list.forEach(({ document, count }, at) => {
      bytes.push(...sevenBits((document - (list[at - 1]?.document ?? 0)) * 4 + Math.min(count - 1, 3)));
      if (count > 3) bytes.push(...sevenBits(count - 4));
    });
    return start;
  });
  return { offsets: Uint32Array.from([...starts, bytes.length]), bytes: Uint8Array.from(bytes) };
}

function sevenBits(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...sevenBits(Math.floor(value / 128))];
}
