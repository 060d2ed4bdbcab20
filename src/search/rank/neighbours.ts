/** What a file's neighbours say: those in its folder, and those that refer to it. */
import type { FileFacts } from '../view/file-facts.ts';
import type { View } from '../view/view.ts';

const BEST_IN_FOLDER = 4;
const FOLDER_SHARE = 16;
const LEAST_SCORE = 1;

/** One per view. Its scratch memory is as large as the view, and all zeros again after each call. */
export interface Neighbours {
  /** The best preliminary scores in each candidate's folder, added up. None is below zero. */
  folderSupport(files: readonly FileFacts[], scores: Float64Array): Float64Array;
  /** How strongly the other candidates refer to each: by a name that hardly any other file defines. */
  referenceSupport(
    numbers: readonly number[],
    files: readonly FileFacts[],
    scores: Float64Array,
  ): Float64Array;
}

export function createNeighbours(view: View): Neighbours {
  let best = new Float64Array(0);
  /** The place of a candidate, plus one; 0 for other files. */
  const places = new Uint32Array(view.fileCount);
  return {
    folderSupport(files, scores) {
      const sums = new Float64Array(files.length);
      for (let at = 0; at < files.length; at++) {
        const from = (files[at]?.folder ?? 0) * BEST_IN_FOLDER;
        if (from + BEST_IN_FOLDER > best.length) best = grown(best, (from + BEST_IN_FOLDER) * 2);
        keepBest(best, from, scores[at] ?? 0);
      }
      for (let at = 0; at < files.length; at++) {
        const from = (files[at]?.folder ?? 0) * BEST_IN_FOLDER;
        let sum = 0;
        for (let place = from; place < from + BEST_IN_FOLDER; place++) sum += best[place] ?? 0;
        sums[at] = sum / FOLDER_SHARE;
      }
      for (const { folder } of files)
        best.fill(0, folder * BEST_IN_FOLDER, folder * BEST_IN_FOLDER + BEST_IN_FOLDER);
      return sums;
    },
    referenceSupport(numbers, files, scores) {
      for (let at = 0; at < numbers.length; at++) places[numbers[at] ?? 0] = at + 1;
      const sums = new Float64Array(files.length);
      for (let from = 0; from < files.length; from++) {
        const facts = files[from];
        const push = (scores[from] ?? 0) - LEAST_SCORE;
        if (facts === undefined || push <= 0) continue;
        const { referenceOffsets, references } = facts.segment;
        const end = referenceOffsets[facts.local + 1] ?? 0;
        for (let at = referenceOffsets[facts.local] ?? 0; at < end; at++) {
          const place = (places[view.now(references[at] ?? 0)] ?? 0) - 1;
          if (place >= 0 && place !== from) sums[place] = (sums[place] ?? 0) + push;
        }
      }
      for (let at = 0; at < numbers.length; at++) places[numbers[at] ?? 0] = 0;
      for (let at = 0; at < sums.length; at++) sums[at] = Math.log(1 + (sums[at] ?? 0));
      return sums;
    },
  };
}

/** The best of a folder stand in descending order. */
function keepBest(best: Float64Array, from: number, score: number): void {
  let at = from + BEST_IN_FOLDER - 1;
  if (score <= (best[at] ?? 0)) return;
  for (; at > from && (best[at - 1] ?? 0) < score; at--) best[at] = best[at - 1] ?? 0;
  best[at] = score;
}

function grown(values: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(values);
  return larger;
}
