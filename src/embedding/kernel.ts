/** The small WebAssembly module that works on rows of bytes; see kernel.wat. */
import { AppError } from '../core/index.ts';
import { KERNEL_WASM } from './kernel-wasm.ts';

export const PAGE_BYTES = 65_536;

/** Every number is an address, or counts what is there. */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  scan(rows: number, count: number, dimensions: number, question: number, sums: number): void;
  scanRanges(
    rows: number,
    ranges: number,
    count: number,
    dimensions: number,
    question: number,
    sums: number,
  ): void;
  sum(
    rows: number,
    dimensions: number,
    numbers: number,
    weights: number,
    count: number,
    vector: number,
  ): void;
  dots(rows: number, dimensions: number, numbers: number, count: number, question: number, out: number): void;
}

/** With a memory of its own; undefined on a runtime without SIMD. A dozen microseconds each time: nothing is kept between. */
export function openKernel(): Kernel | undefined {
  let module: WebAssembly.Module;
  try {
    module = new WebAssembly.Module(Buffer.from(KERNEL_WASM, 'base64'));
  } catch {
    return undefined;
  }
  const { memory, scan, scan_ranges: scanRanges, sum, dots } = new WebAssembly.Instance(module).exports;
  if (
    !(memory instanceof WebAssembly.Memory) ||
    typeof scan !== 'function' ||
    typeof scanRanges !== 'function' ||
    typeof sum !== 'function' ||
    typeof dots !== 'function'
  )
    throw new AppError('internal', 'The vector kernel lacks what it should export.');
  // Checked to be functions just above; their parameters are those of kernel.wat.
  return { memory, scan, scanRanges, sum, dots } as Kernel;
}
