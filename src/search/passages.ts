/** The chunks of one file against the question: the best by words, the nearest by meaning. */
import type { LexicalScores } from './bm25.ts';
import type { DenseScores } from './dense.ts';
import type { FileFacts } from './file-facts.ts';

export interface Passages {
  /** The three best scores by words, best first. */
  readonly words: readonly [number, number, number];
  /** The nearest chunk and the one after it; the same if there is only one. */
  readonly nearest: number;
  readonly second: number;
}

/** The scores of the candidates' chunks, one after the other: all that is left of a query when its answer is shown. */
export interface ChunkScores {
  readonly words: Float32Array;
  readonly nearness: Float32Array;
}

export interface PassageInput {
  readonly lexical: LexicalScores;
  readonly dense: DenseScores | undefined;
  /** Where the scores are noted, and from which place on. */
  readonly into: ChunkScores;
  readonly at: number;
}

export function readPassages({ segment, local }: FileFacts, input: PassageInput): Passages {
  const { lexical, dense, into, at } = input;
  let [first, second, third] = [0, 0, 0];
  let [nearest, next] = [-1, -1];
  const from = segment.firstChunk + (segment.chunkOffsets[local] ?? 0);
  const end = segment.firstChunk + (segment.chunkOffsets[local + 1] ?? 0);
  const nearness = dense?.chunksOf(segment, local);
  for (let chunk = from; chunk < end; chunk++) {
    const score = lexical.chunks[chunk] ?? 0;
    if (score > first) [first, second, third] = [score, first, second];
    else if (score > second) [second, third] = [score, second];
    else if (score > third) third = score;
    const near = nearness?.[chunk - from] ?? 0;
    into.words[at + chunk - from] = score;
    into.nearness[at + chunk - from] = near;
    if (near > nearest) [nearest, next] = [near, nearest];
    else if (near > next) next = near;
  }
  if (end === from) [nearest, next] = [0, 0];
  return { words: [first, second, third], nearest, second: end - from > 1 ? next : nearest };
}
