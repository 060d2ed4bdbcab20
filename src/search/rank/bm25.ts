/** BM25 over the fields of the index. */
import type { Question } from '../query/question.ts';
import { postingCount, PostingList } from '../view/segment.ts';
import type { PlacedSegment, View } from '../view/view.ts';

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
  // Indexed loop: `for…of` is slow before the JIT has warmed up, and this runs once.
  for (let at = 0; at < list.length; at++) sum += list[at] ?? 0;
  return sum;
}

/** Where lists are read to and added up, and where scores go. */
export interface LexicalScratch {
  readonly scores: Omit<LexicalScores, 'fileRarity'>;
  readonly lists: readonly PostingList[];
  readonly sums: readonly FileSums[];
}

export function createScratch(view: View): LexicalScratch {
  return {
    scores: {
      chunks: new Float32Array(view.chunkCount),
      files: new Float32Array(view.fileCount),
      names: new Float32Array(view.fileCount),
      paths: new Float32Array(view.fileCount),
    },
    lists: view.segments.map(() => new PostingList()),
    sums: view.segments.map(({ files }) => createFileSums(files.length)),
  };
}

export function scoreLexical(
  view: View,
  { means, scores, lists, sums }: LexicalScratch & { readonly means: FieldMeans },
  tokens: ReadonlyMap<number, number>,
): LexicalScores {
  for (const values of [scores.chunks, scores.files, scores.names, scores.paths]) values.fill(0);
  const rarities = new Map<number, number>();
  const fileRarity = (hash: number): number => {
    let rarity = rarities.get(hash);
    if (rarity !== undefined) return rarity;
    let documents = 0;
    view.segments.forEach((segment, at) => {
      const [list, sum] = [lists[at], sums[at]];
      if (list === undefined || sum === undefined) return;
      sumByFile(segment, list.read(segment.chunkPostings, segment.terms.get(hash)), sum);
      documents += sum.size;
    });
    rarity = inverseFrequency(view.fileCount, documents);
    rarities.set(hash, rarity);
    return rarity;
  };

  for (const [hash, weight] of tokens) {
    const places = view.segments.map(({ terms }) => terms.get(hash));
    if (places.every((place) => place < 0)) continue;
    for (const [field, out, mean, limits] of [
      ['namePostings', scores.names, means.name, NAME],
      ['pathPostings', scores.paths, means.path, PATH],
    ] as const) {
      const found = view.segments.reduce((sum, s, at) => sum + postingCount(s[field], places[at] ?? -1), 0);
      if (found === 0) continue;
      const rarity = inverseFrequency(view.fileCount, found) * weight;
      view.segments.forEach((segment, at) => {
        const lengths = field === 'namePostings' ? segment.nameLengths : segment.pathLengths;
        const list = lists[at]?.read(segment[field], places[at] ?? -1);
        if (list !== undefined)
          addScores(list, { rarity, out, first: segment.firstFile, lengths, mean, limits });
      });
    }
    let found = 0;
    view.segments.forEach((segment, at) => {
      found += lists[at]?.read(segment.chunkPostings, places[at] ?? -1).size ?? 0;
    });
    const rarity = inverseFrequency(view.chunkCount, found) * weight;
    let documents = 0;
    view.segments.forEach((segment, at) => {
      const [list, sum] = [lists[at], sums[at]];
      if (list === undefined || sum === undefined) return;
      addChunkScores(segment, list, { rarity, out: scores.chunks, mean: means.chunk, sum });
      documents += sum.size;
    });
    rarities.set(hash, inverseFrequency(view.fileCount, documents));
    const inFiles = inverseFrequency(view.fileCount, documents) * weight;
    view.segments.forEach((segment, at) => {
      const [sum, lengths] = [sums[at], means.fileLengths[at]];
      if (sum !== undefined && lengths !== undefined)
        addFileScores(sum, lengths, {
          rarity: inFiles,
          out: scores.files,
          first: segment.firstFile,
          mean: means.file,
        });
    });
  }
  return { ...scores, fileRarity };
}

/** A longer text says the same with its rarest words, and common ones are on every line that is read later. */
const MOST_TERMS = 192;

/** A pasted text by the words of its title and the others that tell the most, as far as the index has them. */
export function withStrongestTerms(view: View, question: Question): Question {
  const { tokens, terms, report } = question;
  if (report === undefined) return question;
  const worths = new Map<number, number>();
  for (const [hash, weight] of tokens) {
    let found = 0;
    for (const segment of view.segments)
      found += postingCount(segment.chunkPostings, segment.terms.get(hash));
    const isOfTitle = report.title.has(hash);
    if (isOfTitle || found > 0)
      worths.set(hash, isOfTitle ? Infinity : weight * inverseFrequency(view.chunkCount, found));
  }
  if (worths.size <= MOST_TERMS && worths.size === tokens.size) return question;
  const kept = new Set(
    [...worths]
      .sort(([, a], [, b]) => (a === b ? 0 : b - a))
      .slice(0, MOST_TERMS)
      .map(([hash]) => hash),
  );
  return {
    ...question,
    tokens: new Map([...tokens].filter(([hash]) => kept.has(hash))),
    terms: terms.filter(({ hash }) => kept.has(hash)),
  };
}

function inverseFrequency(documents: number, found: number): number {
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5));
}

interface Adding {
  readonly rarity: number;
  readonly out: Float32Array;
  /** The number of the segment's first document. */
  readonly first: number;
  readonly lengths: Uint32Array;
  readonly mean: number;
  readonly limits: FieldLimits;
}

function addScores({ documents, counts, size }: PostingList, adding: Adding): void {
  const { rarity, out, first, lengths, mean } = adding;
  const { k1, b } = adding.limits;
  const flat = k1 * (1 - b);
  const steep = (k1 * b) / mean;
  for (let at = 0; at < size; at++) {
    const document = documents[at] ?? 0;
    const count = counts[at] ?? 0;
    const number = first + document;
    out[number] = (out[number] ?? 0) + (rarity * count) / (count + flat + steep * (lengths[document] ?? 0));
  }
}

/** What the files of a segment hold of a word, added up over their chunks. */
export interface FileSums {
  readonly files: Uint32Array;
  readonly counts: Uint32Array;
  size: number;
}

function createFileSums(files: number): FileSums {
  return { files: new Uint32Array(files), counts: new Uint32Array(files), size: 0 };
}

/** As `addScores` and `sumByFile`, in one go: words are in more chunks than in anything else. */
function addChunkScores(
  { firstChunk, lengths, fileOfChunk }: PlacedSegment,
  { documents, counts, size }: PostingList,
  { rarity, out, mean, sum }: Pick<Adding, 'rarity' | 'out' | 'mean'> & { readonly sum: FileSums },
): void {
  const flat = CHUNK.k1 * (1 - CHUNK.b);
  const steep = (CHUNK.k1 * CHUNK.b) / mean;
  const { files, counts: inFiles } = sum;
  let last = -1;
  let place = -1;
  let inFile = 0;
  for (let at = 0; at < size; at++) {
    const chunk = documents[at] ?? 0;
    const count = counts[at] ?? 0;
    const number = firstChunk + chunk;
    out[number] = (out[number] ?? 0) + (rarity * count) / (count + flat + steep * (lengths[chunk] ?? 0));
    const file = fileOfChunk[chunk] ?? 0;
    inFile += count;
    if (file !== last) {
      last = file;
      files[++place] = file;
      inFile = count;
    }
    inFiles[place] = inFile;
  }
  sum.size = place + 1;
}

/** Chunks of a file are neighbours, so one pass over a word's chunks gives its files. */
function sumByFile({ fileOfChunk }: PlacedSegment, list: PostingList, sum: FileSums): void {
  const { documents, counts, size } = list;
  const { files, counts: out } = sum;
  let last = -1;
  let place = -1;
  for (let at = 0; at < size; at++) {
    const file = fileOfChunk[documents[at] ?? 0] ?? 0;
    if (file !== last) {
      last = file;
      files[++place] = file;
      out[place] = 0;
    }
    out[place] = (out[place] ?? 0) + (counts[at] ?? 0);
  }
  sum.size = place + 1;
}

function addFileScores(
  { files, counts, size }: FileSums,
  lengths: Uint32Array,
  { rarity, out, first, mean }: Pick<Adding, 'rarity' | 'out' | 'first' | 'mean'>,
): void {
  for (let place = 0; place < size; place++) {
    const file = files[place] ?? 0;
    const count = counts[place] ?? 0;
    const norm = FILE.k1 * (1 - FILE.b + (FILE.b * (lengths[file] ?? 0)) / mean);
    const number = first + file;
    out[number] = (out[number] ?? 0) + (rarity * count) / (count + norm);
  }
}
