/** A straight line through samples: does something grow, or is it noise? */
export interface Trend {
  /** Per minute. */
  readonly slope: number;
  readonly standardError: number;
  readonly first: number;
  readonly last: number;
}

export interface Sample {
  readonly minute: number;
  readonly value: number;
}

/** By least squares. */
export function trendOf(samples: readonly Sample[]): Trend {
  const count = samples.length;
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const [meanX, meanY] = [mean(({ minute }) => minute), mean(({ value }) => value)];
  const spread = samples.reduce((sum, { minute }) => sum + (minute - meanX) ** 2, 0);
  const together = samples.reduce((sum, { minute, value }) => sum + (minute - meanX) * (value - meanY), 0);
  const slope = together / spread;
  const left = samples.reduce(
    (sum, { minute, value }) => sum + (value - meanY - slope * (minute - meanX)) ** 2,
    0,
  );
  const standardError = Math.sqrt(left / Math.max(1, count - 2) / spread);
  const [first, last] = [samples[0]?.value ?? Number.NaN, samples.at(-1)?.value ?? Number.NaN];
  return { slope, standardError, first, last };
}

/** Within two standard errors of nothing, or so small that an hour does not show it. */
export function isFlat({ slope, standardError }: Trend, least: number): boolean {
  return slope < 2 * standardError || slope < least;
}

export function renderTrend({ slope, standardError, first, last }: Trend): string {
  return `${first.toFixed(1)} to ${last.toFixed(1)}, ${slope.toFixed(3)} ± ${standardError.toFixed(3)} a minute`;
}
