/** What a process that tries cases says to the one that watches it. */
import type { LineCoverage } from './coverage.ts';

export type Said =
  | { readonly kind: 'at'; readonly index: number }
  | {
      readonly kind: 'done';
      readonly index: number;
      readonly name: string;
      readonly ms: number;
      /** How much the most memory of the process rose meanwhile. */
      readonly grownMb: number;
      readonly wrong: string | undefined;
      readonly bytes: string | undefined;
    }
  /** Memory at rest, against that after the first few hundred cases. */
  | { readonly kind: 'end'; readonly grownMb: number; readonly coverage: LineCoverage };
