/** How much a parser child may take. All numbers of the exact pass that a measurement may change are here. */

export interface ParserLimits {
  /** Children that work at once. */
  readonly children: number;
  /** Wall-clock time for one file, the start of a child and its grammar included. */
  readonly timeoutMs: number;
  /** Of the child's JavaScript. */
  readonly heapMb: number;
  /** Of the grammars and the trees they build. */
  readonly grammarMemoryMb: number;
  /** What is smaller altogether is done by one child before a second has started. */
  readonly aloneBelowBytes: number;
  /** Files that are with a child at once: one that it reads, and those that it goes on with. */
  readonly ahead: number;
  /** A child is replaced after so many files or characters: what leaks goes with it. */
  readonly filesPerChild: number;
  readonly charsPerChild: number;
  /**
   * And when it has grown so large, though only after so many characters: one large file must not cost a child each. Where somebody
   * waits and there is little to parse altogether, a new child costs more than the memory.
   */
  readonly replacedAtMb: number;
  readonly replacedAtMbForLittle: number;
  readonly littleBytes: number;
  readonly replacedAfterChars: number;
}

export const PARSER_LIMITS: ParserLimits = {
  children: 2,
  aloneBelowBytes: 200_000,
  ahead: 2,
  timeoutMs: 10_000,
  heapMb: 192,
  grammarMemoryMb: 320,
  filesPerChild: 4_000,
  charsPerChild: 8_000_000,
  replacedAtMb: 88,
  replacedAtMbForLittle: 140,
  littleBytes: 8_000_000,
  replacedAfterChars: 1_000_000,
};
