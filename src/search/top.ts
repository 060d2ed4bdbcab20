/** The best few of many, without sorting all of them. */

/** Numbers of the `most` largest scores, best first; of equal scores the smaller number. Only scores above `above` count. */
export function topOf(scores: ArrayLike<number>, most: number, above = 0): number[] {
  const heap: number[] = [];
  const isWorse = (a: number, b: number): boolean => {
    const [left, right] = [scores[a] ?? 0, scores[b] ?? 0];
    return left < right || (left === right && a > b);
  };
  // What is not above the worst of the best so far is passed over by one comparison.
  let floor = above;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score <= floor) continue;
    if (heap.length < most) {
      heap.push(at);
      siftUp(heap, isWorse);
    } else if (most > 0) {
      heap[0] = at;
      siftDown(heap, isWorse);
    }
    if (heap.length === most) floor = scores[heap[0] ?? 0] ?? 0;
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}

type IsWorse = (a: number, b: number) => boolean;

/** The worst is on top. */
function siftUp(heap: number[], isWorse: IsWorse): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at] ?? 0, heap[parent] ?? 0)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: number[], isWorse: IsWorse): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && isWorse(heap[child] ?? 0, heap[worst] ?? 0)) worst = child;
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
}
