/** How large a chunk is. All the numbers are here, so that one benchmark can settle them. */

export interface ChunkLimits {
  /** Neighbours are joined, and windows cut, up to this many characters, line ends included. */
  readonly targetChars: number;
  /** Neighbours are joined, and windows cut, up to this many lines. */
  readonly targetLines: number;
  /** A definition stays whole up to these. */
  readonly wholeChars: number;
  readonly wholeLines: number;
  /** A window is not cut before this share of it. */
  readonly earliestCut: number;
  /** A chunk this full is not joined with what begins further out, such as the next class. */
  readonly fullEnough: number;
  /** A longer line is a chunk of its own, and only so much of it is kept. */
  readonly longLineChars: number;
}

export const CHUNK_LIMITS: ChunkLimits = {
  targetChars: 1_200,
  targetLines: 45,
  wholeChars: 1_800,
  wholeLines: 60,
  earliestCut: 0.4,
  fullEnough: 0.4,
  longLineChars: 2_000,
};
