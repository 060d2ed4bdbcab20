/** The packed rows of many files, turned into the numbers that search holds of all of them: kernel/segment.ts. */
import { AppError } from '../core/index.ts';
import { instantiate } from './wasm-module.ts';
import { SEGMENT_WASM } from './segment-wasm.ts';

/** One list of documents per term, as src/search/view/segment.ts reads them. */
export interface BuiltPostings {
  /** Where a term's list begins; one more entry than there are terms. */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Of all rows that were added, in their order. */
export interface SegmentNumbers {
  readonly solidLines: Uint8Array;
  /** Where a file's chunks begin; one more entry than there are files. So of all offsets. */
  readonly chunkOffsets: Uint32Array;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  readonly lengths: Uint32Array;
  /** Hashes of all words, by their numbers. */
  readonly terms: Uint32Array;
  readonly chunkPostings: BuiltPostings;
  readonly namePostings: BuiltPostings;
  readonly nameLengths: Uint32Array;
  readonly pathPostings: BuiltPostings;
  readonly pathLengths: Uint32Array;
  readonly nameOffsets: Uint32Array;
  readonly nameHashes: Uint32Array;
  readonly nameWeights: Uint8Array;
  readonly nameLines: Uint32Array;
  readonly nameTermOffsets: Uint32Array;
  readonly nameTerms: Uint32Array;
  /** Hashes of all names, by their numbers, and the definitions of each. */
  readonly names: Uint32Array;
  readonly namePlaces: BuiltPostings;
  readonly identifierOffsets: Uint32Array;
  readonly identifiers: Uint32Array;
}

export interface SegmentKernel {
  /** False for a row that ends before what it says is read; nothing can be built then. */
  add(row: Uint8Array): boolean;
  /** Once, and last. */
  build(): SegmentNumbers;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  reserveRow(bytes: number): number;
  addRow(at: number, bytes: number): void;
  isCut(): number;
  build(): void;
  resultAt(which: number): number;
}

/** With a memory of its own, which goes with it. */
export function openSegmentKernel(): SegmentKernel {
  // Ours, made from kernel/segment.ts, which exports just these; a test calls each.
  const kernel = instantiate([SEGMENT_WASM]) as unknown as Exports;
  return {
    add: (row) =>
      withinMemory(() => {
        // Addresses have no sign, but come with one.
        const at = kernel.reserveRow(row.byteLength) >>> 0;
        new Uint8Array(kernel.memory.buffer, at, row.byteLength).set(row);
        try {
          kernel.addRow(at, row.byteLength);
        } catch (thrown) {
          if (kernel.isCut() !== 0) return false;
          throw thrown;
        }
        return true;
      }),
    build: () =>
      withinMemory(() => {
        kernel.build();
        return copyResults(kernel);
      }),
  };
}

/** Nothing else than memory can stop it: it ends at four gigabytes, or where the machine has no more. */
function withinMemory<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new AppError('internal', 'There is not enough memory for what search holds of this project.', {
      hint: 'Leave out what need not be searched: `waymark config show` names the settings include and exclude.',
      cause,
    });
  }
}

function copyResults({ memory, resultAt }: Exports): SegmentNumbers {
  const { buffer } = memory;
  let which = 0;
  const next = (): [at: number, size: number] => {
    const [at = 0, size = 0] = new Uint32Array(buffer, resultAt(which++) >>> 0, 2);
    return [at, size];
  };
  const numbers = (): Uint32Array => new Uint32Array(buffer, ...next()).slice();
  const postings = (): BuiltPostings => ({
    offsets: numbers(),
    bytes: new Uint8Array(buffer, ...next()).slice(),
  });
  // In the order of `resultAt`.
  return {
    solidLines: Uint8Array.from(numbers()),
    chunkOffsets: numbers(),
    startLines: numbers(),
    endLines: numbers(),
    lengths: numbers(),
    terms: numbers(),
    chunkPostings: postings(),
    namePostings: postings(),
    nameLengths: numbers(),
    pathPostings: postings(),
    pathLengths: numbers(),
    nameOffsets: numbers(),
    nameHashes: numbers(),
    nameWeights: Uint8Array.from(numbers()),
    nameLines: numbers(),
    nameTermOffsets: numbers(),
    nameTerms: numbers(),
    names: numbers(),
    namePlaces: postings(),
    identifierOffsets: numbers(),
    identifiers: numbers(),
  };
}
