/** The best few of many, without sorting all of them. */

export interface TopOptions {
  /** Only scores above it count; above 0 if left out. */
  readonly above?: number;
  /** Asked only about numbers whose score is good enough. */
  readonly passes?: (number: number) => boolean;
}

/** Numbers of the `most` largest scores, best first; of equal scores the smaller number. */
export function topOf(
  scores: ArrayLike<number>,
  most: number,
  { above = 0, passes }: TopOptions = {},
): number[] {
  if (most <= 0) return [];
  const heap = new WorstFirst(most);
  // What is not above the worst of the best so far is passed over by one comparison.
  let floor = above;
  for (let at = 0, count = scores.length; at < count; at++) {
    const score = scores[at] ?? 0;
    if (score <= floor || passes?.(at) === false) continue;
    if (heap.size < most) heap.push(at, score);
    else heap.replace(at, score);
    if (heap.size === most) floor = heap.worst();
  }
  return heap.bestFirst();
}

/** A heap with the worst on top: the smallest score, of equal ones the largest number. */
class WorstFirst {
  size = 0;
  private readonly numbers: Uint32Array;
  private readonly scores: Float64Array;

  constructor(room: number) {
    this.numbers = new Uint32Array(room);
    this.scores = new Float64Array(room);
  }

  worst(): number {
    return this.scores[0] ?? 0;
  }

  push(number: number, score: number): void {
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(number, score, parent)) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, number, score);
  }

  /** In place of the worst. */
  replace(number: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      const other = child + 1;
      if (other < this.size && this.isWorse(this.numbers[other] ?? 0, this.scores[other] ?? 0, child))
        child = other;
      if (this.isWorse(number, score, child)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, number, score);
  }

  /** Takes them out, the worst first. */
  bestFirst(): number[] {
    const best = new Array<number>(this.size);
    while (this.size > 0) {
      const last = this.size - 1;
      best[last] = this.numbers[0] ?? 0;
      this.size = last;
      this.replace(this.numbers[last] ?? 0, this.scores[last] ?? 0);
    }
    return best;
  }

  private isWorse(number: number, score: number, than: number): boolean {
    const other = this.scores[than] ?? 0;
    return score < other || (score === other && number > (this.numbers[than] ?? 0));
  }

  private move(from: number, to: number): void {
    this.put(to, this.numbers[from] ?? 0, this.scores[from] ?? 0);
  }

  private put(at: number, number: number, score: number): void {
    this.numbers[at] = number;
    this.scores[at] = score;
  }
}
