/** How much a parser child may take. All numbers of the exact pass that a measurement may change are here. */
import { coreCount, PATIENT_WASM_FLAG, QUICK_COMPILER_FLAGS } from '../../platform/index.ts';

export interface ParserLimits {
  /** Children that work at once. */
  readonly children: number;
  /**
   * For one file, the start of a child and its grammar included. Wall-clock time, given again to a child that hardly had a
   * processor in it.
   */
  readonly timeoutMs: number;
  /** Of the child's JavaScript. */
  readonly heapMb: number;
  /** Of the grammars and the trees they build. */
  readonly grammarMemoryMb: number;
  /** For what is smaller altogether no second child is started. */
  readonly aloneBelowBytes: number;
  /** Files that are with a child at once: one that it reads, and those that it goes on with. */
  readonly ahead: number;
  /** A child is replaced after so many files or characters: what leaks goes with it. */
  readonly filesPerChild: number;
  readonly charsPerChild: number;
  /**
   * A child is also replaced when it has grown so large, though only after so many characters: one large file must not cost a child
   * each. Where a caller waits and there is little to parse altogether, a new child costs more than the memory.
   */
  readonly replacedAtMb: number;
  readonly replacedAtMbForLittle: number;
  readonly littleBytes: number;
  readonly replacedAfterChars: number;
}

// What is smaller is done before a second child has started. Where the first and we ourselves keep both cores busy, its start costs
// both of us more than it gains: 0.6 MB took 0.49 s with one child and 0.62 with two, 1.3 MB as long either way, 1.8 MB 0.90 and 0.83.
const ALONE_BELOW_BYTES = { fewCores: 1_200_000, manyCores: 200_000 };

export const PARSER_LIMITS: ParserLimits = {
  children: 2,
  aloneBelowBytes: coreCount() > 2 ? ALONE_BELOW_BYTES.manyCores : ALONE_BELOW_BYTES.fewCores,
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

/** The flags with which Node starts a child. */
export function parserFlags({
  heapMb,
  grammarMemoryMb,
}: Pick<ParserLimits, 'heapMb' | 'grammarMemoryMb'>): string[] {
  return [
    ...QUICK_COMPILER_FLAGS,
    PATIENT_WASM_FLAG,
    // What one file leaves behind is garbage before the next: a small nursery costs no time and saves 25 MB.
    '--max-semi-space-size=2',
    '--heap-growing-percent=50',
    // Threads that collect so little are waited for longer than they help.
    '--single-threaded-gc',
    `--max-old-space-size=${heapMb}`,
    `--wasm-max-mem-pages=${grammarMemoryMb * 16}`,
  ];
}
