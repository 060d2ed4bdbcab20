/** The best few of many, without sorting all of them. */

export interface TopOptions {
  /** Only scores above it count; above 0 if left out. A number that 32 bits hold. */
  readonly above?: number;
  /** Asked only about numbers whose score is good enough. */
  readonly passes?: (number: number) => boolean;
}

/** One in so many is looked at first: from the best of them it is known how good the others have to be. */
const SAMPLE = 16;
/** Of the sample, this many times what its share of the best would be: too few of all are found hardly ever. */
const CAUTION = 3;
/** Below, looking twice takes longer. */
const WORTH_SAMPLING = 4096;

/** Numbers of the `most` largest scores, best first; of equal scores the smaller number. Each score is a number. */
export function topOf(
  scores: Float32Array,
  most: number,
  { above = 0, passes }: TopOptions = {},
): readonly number[] {
  if (most <= 0) return [];
  if (scores.length >= WORTH_SAMPLING) {
    const some = bestOf(scores, Math.ceil((CAUTION * most) / SAMPLE), { above, passes, step: SAMPLE });
    const floor = some.isFull ? some.worst() : above;
    // Those with just that score are left out, so that the answer counts only if there were enough above it.
    const best = floor > above ? bestOf(scores, most, { above: floor, passes, step: 1 }) : undefined;
    if (best?.isFull === true) return best.numbers;
  }
  return bestOf(scores, most, { above, passes, step: 1 }).numbers;
}

interface Looking {
  readonly above: number;
  readonly passes: TopOptions['passes'];
  readonly step: number;
}

function bestOf(scores: Float32Array, most: number, { above, passes, step }: Looking): Best {
  const best = new Best(most);
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  // What is not above the worst of the best so far is passed over.
  let floor = above;
  for (let at = 0; ; at += step) {
    at = floor < 0 ? nextAbove(scores, floor, at, step) : nextBitsAbove(bits, bitsOf(floor), at, step);
    if (at >= scores.length) return best;
    if (passes !== undefined && !passes(at)) continue;
    best.add(at, scores[at] ?? 0);
    if (best.isFull) floor = best.worst();
  }
}

/** The place of the next one above the floor; behind the end if there is none. */
function nextAbove(scores: Float32Array, floor: number, from: number, step: number): number {
  const { length } = scores;
  let at = from;
  while (at < length && !((scores[at] ?? 0) > floor)) at += step;
  return at;
}

/**
 * The same for a floor that is not below zero, where the bits of two numbers, read as whole ones, are in the order of the
 * numbers, and compared in half the time. By itself, since most of the time is spent here.
 */
function nextBitsAbove(bits: Int32Array, floor: number, from: number, step: number): number {
  const { length } = bits;
  let at = from;
  while (at < length && (bits[at] ?? 0) <= floor) at += step;
  return at;
}

const oneNumber = new Float32Array(1);
const itsBits = new Int32Array(oneNumber.buffer);

function bitsOf(value: number): number {
  // Of the two zeros the one whose bits are no negative number.
  oneNumber[0] = value + 0;
  return itsBits[0] ?? 0;
}

/** In order, by moving worse ones on: there are a few dozen at most. */
class Best {
  readonly numbers: number[] = [];
  private readonly scores: number[] = [];
  private readonly room: number;

  constructor(room: number) {
    this.room = room;
  }

  get isFull(): boolean {
    return this.numbers.length === this.room;
  }

  worst(): number {
    return this.scores[this.scores.length - 1] ?? 0;
  }

  /** In place of the worst, where there is no room. Comes behind those with the same score. */
  add(number: number, score: number): void {
    const { numbers, scores } = this;
    if (!this.isFull) {
      numbers.push(number);
      scores.push(score);
    }
    let at = numbers.length - 1;
    for (; at > 0 && (scores[at - 1] ?? 0) < score; at--) {
      scores[at] = scores[at - 1] ?? 0;
      numbers[at] = numbers[at - 1] ?? 0;
    }
    scores[at] = score;
    numbers[at] = number;
  }
}
