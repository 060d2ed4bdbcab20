/** Loops over text and numbers, in WebAssembly: fast from the first file on, where JavaScript has to be compiled while it runs. */
export {
  openWordKernel,
  writeText,
  type ChunkPlace,
  type FileToPack,
  type TextModel,
  type WordKernel,
} from './word-kernel.ts';
export { openSegmentKernel, type BuiltPostings, type SegmentNumbers } from './segment-kernel.ts';
export { openScanKernel, PAGE_BYTES, type ScanKernel } from './scan-kernel.ts';
export { openTokenKernel, type TokenKernel } from './token-kernel.ts';
export { createPlainFinder } from './plain-finder.ts';
export { createWordFinder } from './word-finder.ts';
export type { WordFinder } from './finder.ts';
