/** The flags of V8 that pay, by figures from an installed package (decision 27). */
import { setFlagsFromString } from 'node:v8';

/** For a process that is started with flags. A V8 that does not know one goes on without it. */
export const QUICK_COMPILER_FLAGS: readonly string[] = [
  // Bytes of bytecode that are inlined into a hot function; V8's own number is 920.
  '--max-inlined-bytecode-size-cumulative=100',
  // Otherwise the first round of every loop is compiled twice.
  '--no-turbo-loop-peeling',
];

/** Collect when the heap has grown by half, not up to fourfold. */
const SMALL_HEAP_FLAG = '--heap-growing-percent=50';

/**
 * Inlines less: a first index has a hundred hot functions, and V8 spends most of a second on optimising them, on the core that the
 * index needs; with these flags it takes a fifth less processor time. Keeps less garbage: a busy server takes a tenth less memory
 * (decision 27). Call it before modules are loaded from the compile cache: V8 takes compiled code only from a process
 * with the same flags.
 */
export function tuneV8(): void {
  for (const flag of [...QUICK_COMPILER_FLAGS, SMALL_HEAP_FLAG]) setFlagsFromString(flag);
}

/** For a process that is started with flags: how much a function of WebAssembly has to run until it is optimised. Node 22 has this number by itself. */
export const PATIENT_WASM_FLAG = '--wasm-tiering-budget=13000000';

/**
 * WebAssembly that is compiled from now on is never optimised; what was compiled before still is. On Node 20 a function of some
 * hundred kilobytes, as grammars have them, keeps the optimising compiler busy for seconds, and the next module waits for it.
 */
export function optimiseNoMoreWasm(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}

/**
 * V8 of Node 20 optimises a function after 66 KB of its bytecode, on another thread of a processor that the work needs. In a process that ends
 * after some seconds that is not paid back: a parser child takes a quarter less processor time if sixteen times as much is waited for.
 * Newer ones have a quick compiler in between and no such flag; a start with it would fail.
 */
export function optimiseLate(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1080000');
}
