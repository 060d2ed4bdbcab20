/** How near a question is to every chunk, file and path. */
import type { StaticEncoder } from '../embedding/index.ts';
import type { View } from './view.ts';

export interface DenseScores {
  readonly chunks: Float32Array;
  readonly files: Float32Array;
  readonly paths: Float32Array;
}

/** Nothing when a part of the index has no vectors of this encoder: distances to some files alone would mislead. */
export function scoreDense(view: View, text: string, encoder: StaticEncoder): DenseScores | undefined {
  if (view.segments.some(({ vectors, files }) => files.length > 0 && vectors?.model !== encoder.id))
    return undefined;
  const question = encoder.encode(text);
  const scores = {
    chunks: new Float32Array(view.chunkCount),
    files: new Float32Array(view.fileCount),
    paths: new Float32Array(view.fileCount),
  };
  for (const { vectors, firstChunk, firstFile } of view.segments) {
    vectors?.chunks.scan(question, scores.chunks.subarray(firstChunk));
    vectors?.files.scan(question, scores.files.subarray(firstFile));
    vectors?.paths.scan(question, scores.paths.subarray(firstFile));
  }
  return scores;
}
