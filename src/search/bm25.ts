/** BM25 over the fields of the index. */
import type { PlacedSegment, View } from './view.ts';
import type { Postings } from './postings.ts';

export interface FieldLimits {
  readonly k1: number;
  readonly b: number;
}

const CHUNK: FieldLimits = { k1: 1.5, b: 0.75 };
const FILE: FieldLimits = { k1: 1.5, b: 0.75 };
const NAME: FieldLimits = { k1: 1.2, b: 0.5 };
const PATH: FieldLimits = { k1: 1.2, b: 0.3 };

/** Scores of every document of a field; larger is better, 0 is no match. */
export interface LexicalScores {
  readonly chunks: Float32Array;
  readonly files: Float32Array;
  readonly names: Float32Array;
  readonly paths: Float32Array;
  /** How rare a word is among files; for words the index does not know, too. */
  fileRarity(hash: number): number;
}

/** Mean lengths of a view's documents, computed once for it. */
export interface FieldMeans {
  readonly chunk: number;
  readonly file: number;
  readonly name: number;
  readonly path: number;
  /** Words per file, over all its chunks. */
  readonly fileLengths: readonly Uint32Array[];
}

export function fieldMeans(view: View): FieldMeans {
  const fileLengths = view.segments.map(({ files, chunkOffsets, lengths }) => {
    const sums = new Uint32Array(files.length);
    for (let file = 0; file < files.length; file++)
      for (let chunk = chunkOffsets[file] ?? 0; chunk < (chunkOffsets[file + 1] ?? 0); chunk++)
        sums[file] = (sums[file] ?? 0) + (lengths[chunk] ?? 0);
    return sums;
  });
  const mean = (lists: readonly Uint32Array[]): number => {
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    return count === 0 ? 1 : Math.max(1, lists.reduce((sum, list) => sum + total(list), 0) / count);
  };
  return {
    chunk: mean(view.segments.map(({ lengths }) => lengths)),
    file: mean(fileLengths),
    name: mean(view.segments.map(({ nameLengths }) => nameLengths)),
    path: mean(view.segments.map(({ pathLengths }) => pathLengths)),
    fileLengths,
  };
}

function total(list: Uint32Array): number {
  let sum = 0;
  for (const value of list) sum += value;
  return sum;
}

export function scoreLexical(
  view: View,
  means: FieldMeans,
  tokens: ReadonlyMap<number, number>,
): LexicalScores {
  const scores = {
    chunks: new Float32Array(view.chunkCount),
    files: new Float32Array(view.fileCount),
    names: new Float32Array(view.fileCount),
    paths: new Float32Array(view.fileCount),
  };
  const rarities = new Map<number, number>();
  const sums = view.segments.map(({ files }) => ({
    documents: new Uint32Array(files.length),
    counts: new Uint32Array(files.length),
    size: 0,
  }));
  /** What the files of each segment hold of a word, added up over their chunks. */
  const sumByFile = (hash: number): number => {
    let documents = 0;
    view.segments.forEach((segment, at) => {
      const sum = sums[at];
      if (sum === undefined) return;
      sum.size = sumPostings(segment, segment.terms.get(hash), sum);
      documents += sum.size;
    });
    const rarity = inverseFrequency(view.fileCount, documents);
    rarities.set(hash, rarity);
    return rarity;
  };

  for (const [hash, weight] of tokens) {
    const places = view.segments.map(({ terms }) => terms.get(hash));
    if (places.every((place) => place < 0)) continue;
    for (const [field, out, lengthsOf, mean, limits, count] of [
      ['chunkPostings', scores.chunks, (s: PlacedSegment) => s.lengths, means.chunk, CHUNK, view.chunkCount],
      ['namePostings', scores.names, (s: PlacedSegment) => s.nameLengths, means.name, NAME, view.fileCount],
      ['pathPostings', scores.paths, (s: PlacedSegment) => s.pathLengths, means.path, PATH, view.fileCount],
    ] as const) {
      const found = view.segments.reduce((sum, s, at) => sum + postingCount(s[field], places[at] ?? -1), 0);
      if (found === 0) continue;
      const rarity = inverseFrequency(count, found) * weight;
      view.segments.forEach((segment, at) => {
        const first = field === 'chunkPostings' ? segment.firstChunk : segment.firstFile;
        addPostings(segment[field], places[at] ?? -1, rarity, out, first, lengthsOf(segment), mean, limits);
      });
    }
    const rarity = sumByFile(hash) * weight;
    view.segments.forEach((segment, at) => {
      const sum = sums[at];
      const lengths = means.fileLengths[at];
      if (sum === undefined || lengths === undefined) return;
      for (let place = 0; place < sum.size; place++) {
        const file = sum.documents[place] ?? 0;
        const count = sum.counts[place] ?? 0;
        const norm = FILE.k1 * (1 - FILE.b + (FILE.b * (lengths[file] ?? 0)) / means.file);
        const number = segment.firstFile + file;
        scores.files[number] = (scores.files[number] ?? 0) + (rarity * count) / (count + norm);
      }
    });
  }
  return { ...scores, fileRarity: (hash) => rarities.get(hash) ?? sumByFile(hash) };
}

function inverseFrequency(documents: number, found: number): number {
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}

function postingCount({ offsets }: Postings, term: number): number {
  return term < 0 ? 0 : (offsets[term + 1] ?? 0) - (offsets[term] ?? 0);
}

function addPostings(
  { offsets, documents, counts }: Postings,
  term: number,
  rarity: number,
  out: Float32Array,
  first: number,
  lengths: Uint32Array,
  mean: number,
  { k1, b }: FieldLimits,
): void {
  if (term < 0) return;
  const flat = k1 * (1 - b);
  const steep = (k1 * b) / mean;
  for (let at = offsets[term] ?? 0, end = offsets[term + 1] ?? 0; at < end; at++) {
    const document = documents[at] ?? 0;
    const count = counts[at] ?? 0;
    const number = first + document;
    out[number] = (out[number] ?? 0) + (rarity * count) / (count + flat + steep * (lengths[document] ?? 0));
  }
}

/** Chunks of a file are neighbours, so one pass over a word's chunks gives its files. */
function sumPostings(
  segment: PlacedSegment,
  term: number,
  sum: { readonly documents: Uint32Array; readonly counts: Uint32Array },
): number {
  if (term < 0) return 0;
  const { offsets, documents, counts } = segment.chunkPostings;
  let [size, file, end] = [0, -1, 0];
  for (let at = offsets[term] ?? 0, last = offsets[term + 1] ?? 0; at < last; at++) {
    const chunk = documents[at] ?? 0;
    if (chunk >= end) {
      file = fileOfChunk(segment, chunk, file + 1);
      end = segment.chunkOffsets[file + 1] ?? 0;
      sum.documents[size] = file;
      sum.counts[size++] = 0;
    }
    sum.counts[size - 1] = (sum.counts[size - 1] ?? 0) + (counts[at] ?? 0);
  }
  return size;
}

/** The file a chunk belongs to, at or behind `from`. */
export function fileOfChunk({ chunkOffsets, files }: PlacedSegment, chunk: number, from = 0): number {
  let [low, high] = [from, files.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((chunkOffsets[middle] ?? 0) <= chunk) low = middle;
    else high = middle - 1;
  }
  return low;
}
