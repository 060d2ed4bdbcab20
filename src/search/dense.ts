/** How near a question is to every file and path, and to the chunks of those that are asked for. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { PlacedSegment, View } from './view.ts';

export interface DenseScores {
  readonly files: Float32Array;
  readonly paths: Float32Array;
  /** The model knows no word of the question: nothing is nearer than anything else. */
  readonly isBlank: boolean;
  /** Of a file's chunks, in their order. The array is used again for the next file. */
  chunksOf(segment: PlacedSegment, local: number): Float32Array;
}

/** Nothing when a part of the index has no vectors of this encoder: distances to some files alone would mislead. */
export function scoreDense(
  view: View,
  text: string,
  encoder: StaticEncoder,
  scores: Pick<DenseScores, 'files' | 'paths'>,
): DenseScores | undefined {
  if (view.segments.some(({ vectors, files }) => files.length > 0 && vectors?.model !== encoder.id))
    return undefined;
  const question = encoder.encode(text);
  let nearness = new Float32Array(256);
  for (const { vectors, firstFile } of view.segments) {
    vectors?.files.scan(question, scores.files.subarray(firstFile));
    vectors?.paths.scan(question, scores.paths.subarray(firstFile));
  }
  return {
    ...scores,
    isBlank: question.every((value) => value === 0),
    // Candidates have few of all chunks: most are never looked at.
    chunksOf({ vectors, chunkOffsets }, local) {
      const from = chunkOffsets[local] ?? 0;
      const count = (chunkOffsets[local + 1] ?? 0) - from;
      if (nearness.length < count) nearness = new Float32Array(count * 2);
      vectors?.chunks.scanRows(question, { from, count }, nearness);
      return nearness;
    },
  };
}
