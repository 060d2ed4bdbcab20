/** How thoroughly V8's optimising compiler works. */
import { setFlagsFromString } from 'node:v8';

/** For a process that is started with flags. */
export const QUICK_COMPILER_FLAGS: readonly string[] = [
  // Bytes of bytecode that are put into a hot function in place of calls; V8's own number is 920.
  '--max-inlined-bytecode-size-cumulative=100',
  // Otherwise the first round of every loop is compiled twice.
  '--no-turbo-loop-peeling',
];

/**
 * Left alone, V8 is busy for most of a second with the hundred functions of a first index, beside which, and in place of which,
 * the index has to be made: above all with putting what a function calls into it. With less of that a server that was just started
 * has its first project searchable in four fifths of the time, a large tree is indexed in as much, and a search takes some
 * hundredths longer (decision 27). Not before the program is loaded: code that was compiled beforehand is taken only with the
 * flags it was compiled with. A V8 that does not know a flag goes on without it.
 */
export function compileQuickly(): void {
  for (const flag of QUICK_COMPILER_FLAGS) setFlagsFromString(flag);
}

/** For a process that is started with flags: how much a function of WebAssembly has to run until it is optimised. Node 22 has this number by itself. */
export const PATIENT_WASM_FLAG = '--wasm-tiering-budget=13000000';

/**
 * WebAssembly that is compiled from now on is never optimised; what was compiled before still is. On Node 20 a function of some
 * hundred kilobytes, as grammars have them, keeps the optimising compiler busy for seconds, and whoever loads the next module waits.
 */
export function optimiseNoMoreWasm(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}
