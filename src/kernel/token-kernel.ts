/** The words of questions, paths and shown lines: kernel/tokens.ts. */
import { TOKENS_WASM } from './tokens-wasm.ts';
import { instantiate } from './wasm-module.ts';
import type { TextTaker } from './word-kernel.ts';

/** Numbers are addresses, or count what is there. Each call but `hashText` and `wantStems` gives how many numbers it left at `numbersAt`. */
export interface TokenKernel extends TextTaker {
  numbersAt(): number;
  stemsAt(): number;
  readWords(units: number): number;
  hashText(units: number): number;
  readTrigrams(units: number): number;
  wantStems(units: number): void;
  findWanted(units: number): number;
}

/** With a memory of its own. */
export function openTokenKernel(): TokenKernel {
  // Ours, made from kernel/tokens.ts, which exports just these; a test calls each.
  return instantiate([TOKENS_WASM]) as unknown as TokenKernel;
}
