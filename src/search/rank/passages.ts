/** The chunks of the candidates against the question: the best by words, the nearest by meaning. */
import type { Arena } from './arena.ts';
import type { LexicalScores } from './bm25.ts';
import type { DenseScores } from './dense.ts';
import type { FileFacts } from '../view/file-facts.ts';

/** One number per candidate, in their order. */
export interface Passages {
  /** The best score by words. */
  readonly words: Float64Array;
  /** The three best of them, each counted half of the one before. */
  readonly wordSums: Float64Array;
  /** The nearest chunk and the one after it; the same if there is only one. */
  readonly nearest: Float64Array;
  readonly second: Float64Array;
  /** Where the chunks of each begin in `chunks`, and where they end. */
  readonly places: Uint32Array;
  readonly chunks: ChunkScores;
}

/** The scores of the candidates' chunks, one after the other: all that is left of a query when its answer is shown. */
export interface ChunkScores {
  readonly words: Float32Array;
  readonly nearness: Float32Array;
}

export function readPassages(
  files: readonly FileFacts[],
  lexical: LexicalScores,
  dense: DenseScores | undefined,
  arena: Arena,
): Passages {
  const places = placeChunks(files);
  const count = places[files.length] ?? 0;
  const passages: Passages = {
    words: arena.take(files.length),
    wordSums: arena.take(files.length),
    nearest: arena.take(files.length),
    second: arena.take(files.length),
    places,
    chunks: { words: new Float32Array(count), nearness: new Float32Array(count) },
  };
  dense?.readChunks(files, places, passages.chunks.nearness);
  for (let at = 0; at < files.length; at++) {
    const facts = files[at];
    if (facts !== undefined) readFile(facts, at, passages, lexical.chunks);
  }
  return passages;
}

function readFile(
  { segment, local }: FileFacts,
  at: number,
  { words, wordSums, nearest, second, places, chunks }: Passages,
  scores: Float32Array,
): void {
  const place = places[at] ?? 0;
  const count = (places[at + 1] ?? 0) - place;
  const from = segment.firstChunk + (segment.chunkOffsets[local] ?? 0);
  let first = 0;
  let next = 0;
  let third = 0;
  let nearestOne = count === 0 ? 0 : -1;
  let nextOne = nearestOne;
  for (let chunk = 0; chunk < count; chunk++) {
    const score = scores[from + chunk] ?? 0;
    chunks.words[place + chunk] = score;
    if (score > first) {
      third = next;
      next = first;
      first = score;
    } else if (score > next) {
      third = next;
      next = score;
    } else if (score > third) third = score;
    const value = chunks.nearness[place + chunk] ?? 0;
    if (value > nearestOne) {
      nextOne = nearestOne;
      nearestOne = value;
    } else if (value > nextOne) nextOne = value;
  }
  words[at] = first;
  wordSums[at] = first + 0.5 * next + 0.25 * third;
  nearest[at] = nearestOne;
  second[at] = count > 1 ? nextOne : nearestOne;
}

function placeChunks(files: readonly FileFacts[]): Uint32Array {
  const places = new Uint32Array(files.length + 1);
  let end = 0;
  for (let at = 0; at < files.length; at++) {
    const facts = files[at];
    if (facts !== undefined) {
      const { chunkOffsets } = facts.segment;
      end += (chunkOffsets[facts.local + 1] ?? 0) - (chunkOffsets[facts.local] ?? 0);
    }
    places[at + 1] = end;
  }
  return places;
}
