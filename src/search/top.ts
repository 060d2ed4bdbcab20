/** The best few of many, without sorting all of them. */

export interface TopOptions {
  /** Only scores above it count; above 0 if left out. */
  readonly above?: number;
  /** Asked only about numbers whose score is good enough. */
  readonly passes?: (number: number) => boolean;
}

/** Numbers of the `most` largest scores, best first; of equal scores the smaller number. */
export function topOf(
  scores: Float32Array,
  most: number,
  { above = 0, passes }: TopOptions = {},
): readonly number[] {
  if (most <= 0) return [];
  const best = new Best(most);
  // What is not above the worst of the best so far is passed over.
  let floor = above;
  for (let at = nextAbove(scores, floor, 0); at < scores.length; at = nextAbove(scores, floor, at + 1)) {
    if (passes !== undefined && !passes(at)) continue;
    best.add(at, scores[at] ?? 0);
    if (best.size === most) floor = best.worst();
  }
  return best.numbers();
}

/** The place of the next one above the floor; the length if there is none. By itself, since most of the time is spent here. */
function nextAbove(scores: Float32Array, floor: number, from: number): number {
  const { length } = scores;
  let at = from;
  while (at < length && !((scores[at] ?? 0) > floor)) at += 1;
  return at;
}

/** In order, by moving worse ones on: there are a few dozen at most. */
class Best {
  size = 0;
  private readonly places: Uint32Array;
  private readonly scores: Float64Array;

  constructor(room: number) {
    this.places = new Uint32Array(room);
    this.scores = new Float64Array(room);
  }

  worst(): number {
    return this.scores[this.size - 1] ?? 0;
  }

  /** In place of the worst, where there is no room. Comes behind those with the same score. */
  add(number: number, score: number): void {
    const { places, scores } = this;
    let at = this.size < places.length ? this.size++ : places.length - 1;
    for (; at > 0 && (scores[at - 1] ?? 0) < score; at--) {
      scores[at] = scores[at - 1] ?? 0;
      places[at] = places[at - 1] ?? 0;
    }
    scores[at] = score;
    places[at] = number;
  }

  numbers(): readonly number[] {
    return Array.from({ length: this.size }, (_, at) => this.places[at] ?? 0);
  }
}
