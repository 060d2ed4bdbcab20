/** Learns the weights of ranking: convex, deterministic, a second of work. */

/** A question's candidates: features of each, and which of them answer it. */
export interface Example {
  readonly repository: string;
  /** One row per candidate, features in order. */
  readonly rows: readonly Float64Array[];
  readonly relevant: readonly boolean[];
}

const widthOf = (examples: readonly Example[]): number => examples[0]?.rows[0]?.length ?? 0;
const RIDGE = 1e-3;
const MOST_STEPS = 200;
const MEMORY = 10;
const TOLERANCE = 1e-6;

/** Weights for features as they are, in the order of the rows. */
export function learn(
  examples: readonly Example[],
  given?: Float64Array,
  { ridge = RIDGE }: { readonly ridge?: number } = {},
): Float64Array {
  const usable = examples.filter(({ relevant }) => relevant.includes(true) && relevant.includes(false));
  const scale = deviations(usable);
  const start = given ?? new Float64Array(widthOf(usable));
  const scaled = usable.map((example) => ({
    ...example,
    rows: example.rows.map((row) => row.map((value, at) => value / (scale[at] ?? 1))),
  }));
  const found = minimize(
    (weights) => lossOf(scaled, weights, ridge),
    start.map((value, at) => value * (scale[at] ?? 1)),
  );
  return found.map((value, at) => value / (scale[at] ?? 1));
}

function deviations(examples: readonly Example[]): Float64Array {
  const width = widthOf(examples);
  const [sum, squares] = [new Float64Array(width), new Float64Array(width)];
  let count = 0;
  for (const { rows } of examples)
    for (const row of rows) {
      count += 1;
      row.forEach((value, at) => {
        sum[at] = (sum[at] ?? 0) + value;
        squares[at] = (squares[at] ?? 0) + value * value;
      });
    }
  return sum.map((total, at) => {
    const mean = total / count;
    return Math.sqrt(Math.max(1e-9, (squares[at] ?? 0) / count - mean * mean));
  });
}

interface Loss {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** Each right file should stand above all the wrong ones together. */
function lossOf(examples: readonly Example[], weights: Float64Array, ridge: number): Loss {
  const gradient = new Float64Array(weights.length);
  let value = 0;
  for (const { rows, relevant } of examples) {
    const scores = rows.map((row) => dot(row, weights));
    const most = Math.max(...scores);
    const powers = scores.map((score, at) => (relevant[at] === true ? 0 : Math.exp(score - most)));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const wrong = most + Math.log(total);
    const right = scores.flatMap((_, at) => (relevant[at] === true ? [at] : []));
    let pull = 0;
    for (const at of right) {
      const gap = wrong - (scores[at] ?? 0);
      value += (gap > 30 ? gap : Math.log1p(Math.exp(gap))) / right.length / examples.length;
      const slope = 1 / (1 + Math.exp(-gap)) / right.length / examples.length;
      pull += slope;
      addScaled(gradient, rows[at], -slope);
    }
    powers.forEach((power, at) => {
      if (power > 0) addScaled(gradient, rows[at], (pull * power) / total);
    });
  }
  for (let at = 0; at < weights.length; at++) {
    value += (ridge / 2) * (weights[at] ?? 0) ** 2;
    gradient[at] = (gradient[at] ?? 0) + ridge * (weights[at] ?? 0);
  }
  return { value, gradient };
}

/** L-BFGS with a halving line search. */
function minimize(loss: (at: Float64Array) => Loss, start: Float64Array): Float64Array {
  let at = start;
  let here = loss(at);
  const history: { readonly step: Float64Array; readonly change: Float64Array; readonly rho: number }[] = [];
  for (let turn = 0; turn < MOST_STEPS; turn++) {
    const direction = descend(here.gradient, history);
    const slope = dot(direction, here.gradient);
    let length = 1;
    let next = at;
    let there = here;
    for (; length > 1e-10; length /= 2) {
      next = at.map((value, d) => value + length * (direction[d] ?? 0));
      there = loss(next);
      if (there.value <= here.value + 1e-4 * length * slope) break;
    }
    const step = next.map((value, d) => value - (at[d] ?? 0));
    const change = there.gradient.map((value, d) => value - (here.gradient[d] ?? 0));
    const curvature = dot(step, change);
    if (curvature > 1e-12) history.push({ step, change, rho: 1 / curvature });
    if (history.length > MEMORY) history.shift();
    const gained = here.value - there.value;
    [at, here] = [next, there];
    if (gained < TOLERANCE * Math.abs(here.value)) break;
  }
  return at;
}

function descend(
  gradient: Float64Array,
  history: readonly { readonly step: Float64Array; readonly change: Float64Array; readonly rho: number }[],
): Float64Array {
  const direction = gradient.map((value) => -value);
  const alphas = history.toReversed().map(({ step, change, rho }) => {
    const alpha = rho * dot(step, direction);
    addScaled(direction, change, -alpha);
    return alpha;
  });
  const last = history.at(-1);
  if (last !== undefined) {
    const factor = dot(last.step, last.change) / dot(last.change, last.change);
    direction.forEach((value, d) => (direction[d] = value * factor));
  }
  history.forEach(({ step, change, rho }, place) => {
    const beta = rho * dot(change, direction);
    addScaled(direction, step, (alphas[history.length - 1 - place] ?? 0) - beta);
  });
  return direction;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function addScaled(to: Float64Array, row: Float64Array | undefined, factor: number): void {
  row?.forEach((value, at) => (to[at] = (to[at] ?? 0) + factor * value));
}
