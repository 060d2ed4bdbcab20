/** Sums over many rows of numbers: kernel/scan.ts. */
import { AppError } from '../core/index.ts';
import { SCAN_WASM } from './scan-wasm.ts';

export const PAGE_BYTES = 65_536;

/** Every number is an address, or counts what is there. */
export interface ScanKernel {
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
  dots(rows: number, dimensions: number, numbers: number, count: number, question: number, out: number): void;
}

/** With a memory of its own; undefined where there is no SIMD, or no room for it. A dozen microseconds each time: nothing is kept between. */
export function openScanKernel(): ScanKernel | undefined {
  let exports: WebAssembly.Instance['exports'];
  try {
    const module = new WebAssembly.Module(Buffer.from(SCAN_WASM, 'base64'));
    exports = new WebAssembly.Instance(module).exports;
  } catch {
    return undefined;
  }
  const { memory, scan, scanRanges, dots } = exports;
  if (
    !(memory instanceof WebAssembly.Memory) ||
    typeof scan !== 'function' ||
    typeof scanRanges !== 'function' ||
    typeof dots !== 'function'
  )
    throw new AppError('internal', 'The vector kernel lacks what it should export.');
  // Checked to be functions just above; their parameters are those of kernel/scan.ts.
  return { memory, scan, scanRanges, dots } as ScanKernel;
}
