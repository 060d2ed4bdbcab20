/** Weights that keep the sign of their reason: with few examples, others fit chance. */
import { learn, type Example } from './train.ts';

/** `1`: it speaks for an answer, `-1`: against it, `0`: either may be. */
export type Sign = 1 | 0 | -1;

/** Learns, leaves out what came out with the wrong sign, and learns again until nothing does. */
export function learnSigned(
  examples: readonly Example[],
  signs: readonly Sign[],
  options: { readonly ridge?: number } = {},
): Float64Array {
  const isOut = signs.map(() => false);
  for (;;) {
    const kept = examples.map((example) => ({
      ...example,
      rows: example.rows.map((row) => row.map((value, at) => (isOut[at] === true ? 0 : value))),
    }));
    const weights = learn(kept, undefined, options).map((weight, at) => (isOut[at] === true ? 0 : weight));
    const wrong = signs.flatMap((sign, at) => (sign * (weights[at] ?? 0) < 0 ? [at] : []));
    if (wrong.length === 0) return weights;
    for (const at of wrong) isOut[at] = true;
  }
}
