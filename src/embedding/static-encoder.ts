/** Text to a vector by the table alone: the weighted sum of its tokens' rows. No service, no key, microseconds. */
import type { WordKernel } from '../kernel/index.ts';
import type { StaticModel } from './static-model.ts';

export interface StaticEncoder {
  /** Changes when vectors of another model must not be compared with its own. */
  readonly id: string;
  readonly dimensions: number;
  /** Makes the vectors, and those of files together with their words. */
  readonly kernel: WordKernel;
  /** Of unit length, or all zeros for a text without a known word. */
  encode(text: string): Float32Array;
}

export function createStaticEncoder({ dimensions, kernel }: StaticModel, id: string): StaticEncoder {
  return { id, dimensions, kernel, encode: (text) => kernel.encode(text) };
}
