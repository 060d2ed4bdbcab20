/** A file's vectors: one for its path, one for itself, one per chunk. */
import { normalize, quantize, type StaticEncoder } from '../embedding/index.ts';
import type { Chunk } from '../core/index.ts';
import type { FileVectors } from '../storage/index.ts';
import type { PathWords } from '../text/index.ts';

export function fileVectors(
  chunks: readonly Chunk[],
  { stem, folder, folders }: PathWords,
  encoder: StaticEncoder,
): FileVectors {
  const { dimensions } = encoder;
  const whole = new Float32Array(dimensions);
  const parts = chunks.map(({ text }) => {
    const vector = encoder.encode(text, `${folder} ${stem}`);
    for (let d = 0; d < dimensions; d++) whole[d] = (whole[d] ?? 0) + (vector[d] ?? 0);
    return vector;
  });
  const path = encoder.encode([...folders.slice(-2), stem].join(' '));
  const rows = new Int8Array((parts.length + 2) * dimensions);
  const scales = new Float32Array(parts.length + 2);
  [path, normalize(whole), ...parts].forEach((vector, row) => {
    const { values, scale } = quantize(vector);
    rows.set(values, row * dimensions);
    scales[row] = scale;
  });
  return { model: encoder.id, dimensions, rows, scales };
}
