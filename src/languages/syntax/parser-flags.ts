/** How the Node of a parser child is started. */
import { PATIENT_WASM_FLAG, QUICK_COMPILER_FLAGS } from '../../platform/index.ts';
import type { ParserLimits } from './parser-limits.ts';

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
    `--max-old-space-size=${heapMb}`,
    `--wasm-max-mem-pages=${grammarMemoryMb * 16}`,
  ];
}
