/** How near a question is to every file, and to the chunks and paths of those that are asked for. */
import type { StaticEncoder, VectorTable } from '../../embedding/index.ts';
import type { FileFacts } from '../view/file-facts.ts';
import type { SegmentVectors } from '../view/segment-vectors.ts';
import type { PlacedSegment, View } from '../view/view.ts';

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
  scores: Pick<DenseScores, 'files'>,
): DenseScores | undefined {
  if (view.segments.some(({ vectors, files }) => files.length > 0 && vectors?.model !== encoder.id))
    return undefined;
  const question = encoder.encode(text);
  for (const { vectors, firstFile } of view.segments)
    vectors?.files.scan(question, scores.files.subarray(firstFile));
  // Candidates are few of all files, and have few of all chunks: most are never looked at.
  const read = (files: readonly FileFacts[], out: Float32Array, how: Rows): void => {
    const [only, ...others] = view.segments;
    if (only?.vectors !== undefined && others.length === 0)
      how.tableOf(only.vectors).scanRanges(question, rangesOf(files, how), out);
    else for (const segment of view.segments) readSegment(segment, question, files, out, how);
  };
  return {
    ...scores,
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
