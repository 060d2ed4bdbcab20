/** How near a question is to every file, and to the chunks and paths of those that are asked for: by the static model's vectors, or by a service's. */
import type { StaticEncoder, VectorTable } from '../../embedding/index.ts';
import type { FileFacts } from '../view/file-facts.ts';
import type { PlacedSegment, SegmentVectors, View } from '../view/view.ts';

export interface DenseScores {
  readonly files: Float32Array;
  /** The model knows no word of the question: nothing is nearer than anything else. */
  readonly isBlank: boolean;
  /** Of the paths of these files, in their order. */
  readPaths(files: readonly FileFacts[], out: Float32Array): void;
  /** Of the chunks of these files; those of a file begin at its place. There is one place more than files. */
  readChunks(files: readonly FileFacts[], places: Uint32Array, out: Float32Array): void;
}

/** Nothing when a part of the index has no vectors of this encoder: distances to some files alone would mislead. */
export function scoreDense(
  view: View,
  text: string,
  encoder: StaticEncoder,
  /** Where the scores of all files go. */
  scores: Float32Array,
): DenseScores | undefined {
  if (view.segments.some(({ vectors, files }) => files.length > 0 && vectors?.model !== encoder.id))
    return undefined;
  const question = encoder.encode(text);
  for (const { vectors, firstFile } of view.segments)
    vectors?.files.scan(question, scores.subarray(firstFile));
  // Candidates are few of all files, and have few of all chunks: most are never looked at.
  const read = (files: readonly FileFacts[], out: Float32Array, how: Rows): void => {
    const [only, ...others] = view.segments;
    if (only?.vectors !== undefined && others.length === 0)
      how.tableOf(only.vectors).scanRanges(question, rangesOf(files, how), out);
    else for (const segment of view.segments) readSegment(segment, question, files, out, how);
  };
  return {
    files: scores,
    isBlank: question.every((value) => value === 0),
    readPaths: (files, out) => read(files, out, PATHS),
    readChunks: (files, places, out) => read(files, out, { ...CHUNKS, placeOf: (at) => places[at] ?? 0 }),
  };
}

/** Which rows of which table belong to a file, and where their numbers go. */
interface Rows {
  tableOf(vectors: SegmentVectors): VectorTable;
  firstOf(facts: FileFacts): number;
  /** Behind the last. */
  endOf(facts: FileFacts): number;
  placeOf(at: number): number;
}

const PATHS: Rows = {
  tableOf: ({ paths }) => paths,
  firstOf: ({ local }) => local,
  endOf: ({ local }) => local + 1,
  placeOf: (at) => at,
};

const CHUNKS: Omit<Rows, 'placeOf'> = {
  tableOf: ({ chunks }) => chunks,
  firstOf: ({ segment, local }) => segment.chunkOffsets[local] ?? 0,
  endOf: ({ segment, local }) => segment.chunkOffsets[local + 1] ?? 0,
};

function readSegment(
  segment: PlacedSegment,
  question: Float32Array,
  files: readonly FileFacts[],
  out: Float32Array,
  how: Rows,
): void {
  const places: number[] = [];
  const own = files.filter((facts, at) => facts.segment === segment && places.push(how.placeOf(at)) > 0);
  if (own.length === 0 || segment.vectors === undefined) return;
  const ranges = rangesOf(own, how);
  let count = 0;
  for (let pair = 1; pair < ranges.length; pair += 2) count += ranges[pair] ?? 0;
  const nearness = new Float32Array(count);
  how.tableOf(segment.vectors).scanRanges(question, ranges, nearness);
  let from = 0;
  places.forEach((place, at) => {
    const size = ranges[2 * at + 1] ?? 0;
    out.set(nearness.subarray(from, from + size), place);
    from += size;
  });
}

/** Pairs of the first row and how many there are. */
function rangesOf(files: readonly FileFacts[], { firstOf, endOf }: Rows): Uint32Array {
  const ranges = new Uint32Array(2 * files.length);
  let at = 0;
  for (const facts of files) {
    const first = firstOf(facts);
    ranges[at++] = first;
    ranges[at++] = endOf(facts) - first;
  }
  return ranges;
}

/** Of one segment. */
export interface RemoteTables {
  readonly files: VectorTable;
  readonly chunks: VectorTable;
  /** 1 for each file whose vectors are there. */
  readonly has: Uint8Array;
}

export interface RemoteDenseInput {
  readonly view: View;
  readonly tablesOf: (segment: PlacedSegment) => RemoteTables | undefined;
  readonly question: Float32Array;
}

export function scoreRemote({ view, tablesOf, question }: RemoteDenseInput, local: DenseScores): DenseScores {
  const raw = new Float32Array(view.fileCount);
  const has = new Uint8Array(view.fileCount);
  for (const segment of view.segments) {
    const tables = tablesOf(segment);
    if (tables === undefined) continue;
    tables.files.scan(question, raw.subarray(segment.firstFile));
    for (let file = 0; file < segment.files.length; file++)
      has[segment.firstFile + file] = (tables.has[file] ?? 0) & (segment.alive[file] ?? 0);
  }
  const [ours, theirs] = [local.isBlank ? USUAL : spreadOf(local.files, has), spreadOf(raw, has)];
  const stretch = theirs.deviation > 0 ? ours.deviation / theirs.deviation : 0;
  const fit = (value: number): number => ours.mean + (value - theirs.mean) * stretch;
  return {
    files: raw.map((value, file) => (has[file] === 1 ? fit(value) : (local.files[file] ?? 0))),
    // What a path says is the static model's word: services get no paths.
    readPaths: local.readPaths,
    isBlank: false,
    readChunks(files, places, out) {
      local.readChunks(files, places, out);
      files.forEach(({ segment, local: file }, at) => {
        const tables = tablesOf(segment);
        if (tables === undefined || tables.has[file] !== 1) return;
        const place = places[at] ?? 0;
        const count = (places[at + 1] ?? 0) - place;
        const own = out.subarray(place, place + count);
        tables.chunks.scanRows(question, { from: segment.chunkOffsets[file] ?? 0, count }, own);
        for (let chunk = 0; chunk < count; chunk++) own[chunk] = fit(own[chunk] ?? 0);
      });
    },
  };
}

interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Mean and deviation of nearness over all files, about as the static model has them for a question that it knows. Used only where
 * it knows no word of the question (another script, say): there is nothing to fit to then, and the service's word must not be
 * lost. Chosen near the upper end of what was seen for ten plain questions in six repositories: means from -0.07 to 0.24 (half of
 * them between 0.0 and 0.1), deviations from 0.06 to 0.15. No bench depends on it: a larger deviation only lets nearness weigh
 * more beside the other features, which have little to say of such a question.
 */
const USUAL: Spread = { mean: 0.1, deviation: 0.12 };

function spreadOf(values: Float32Array, counts: Uint8Array): Spread {
  let [sum, squares, count] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    if (counts[at] !== 1) continue;
    const value = values[at] ?? 0;
    sum += value;
    squares += value * value;
    count += 1;
  }
  if (count === 0) return { mean: 0, deviation: 0 };
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
