/** A candidate with its score. Its features lie in a table of all candidates: hardly any is asked for them. */
import { FEATURES, type FeatureVector, type Weights } from './features.ts';
import type { FileFacts } from '../view/file-facts.ts';

export class Measured {
  readonly file: number;
  readonly facts: FileFacts;
  readonly score: number;
  /** Where the scores of its chunks begin. */
  readonly firstChunk: number;
  private readonly values: Float64Array;
  private readonly row: number;

  constructor(
    { file, facts, firstChunk }: Pick<Measured, 'file' | 'facts' | 'firstChunk'>,
    table: { readonly values: Float64Array; readonly row: number; readonly weights: Float64Array },
  ) {
    this.file = file;
    this.facts = facts;
    this.firstChunk = firstChunk;
    this.values = table.values;
    this.row = table.row;
    this.score = weighRow(table.values, table.row, table.weights);
  }

  /** By its place in `FEATURES`. */
  feature(at: number): number {
    return this.values[this.row * FEATURES.length + at] ?? 0;
  }

  get features(): FeatureVector {
    // Every feature is given its value.
    return Object.fromEntries(FEATURES.map((feature, at) => [feature, this.feature(at)])) as FeatureVector;
  }
}

/** In the order of `FEATURES`. */
export function listWeights(weights: Weights): Float64Array {
  return Float64Array.from(FEATURES, (feature) => weights[feature]);
}

/** The weighted sum of one row, in the order of `FEATURES`. */
export function weighRow(values: Float64Array, row: number, weights: Float64Array): number {
  const from = row * FEATURES.length;
  let sum = 0;
  for (let at = 0; at < FEATURES.length; at++) sum += (values[from + at] ?? 0) * (weights[at] ?? 0);
  return sum;
}
