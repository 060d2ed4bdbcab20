/** What a file's neighbours say: those in its folder, and those that refer to it. */
import type { FileFacts } from './file-facts.ts';
import type { View } from './view.ts';

const BEST_IN_FOLDER = 4;
const FOLDER_SHARE = 16;
const LEAST_SCORE = 1;

/** The best preliminary scores in each candidate's folder, added up. */
export function folderSupport(files: readonly FileFacts[], scores: readonly number[]): number[] {
  const byFolder = new Map<string, number[]>();
  files.forEach(({ folder }, at) => {
    const list = byFolder.get(folder) ?? [];
    list.push(scores[at] ?? 0);
    byFolder.set(folder, list);
  });
  for (const list of byFolder.values()) list.sort((a, b) => b - a);
  return files.map(({ folder }) => {
    const best = (byFolder.get(folder) ?? []).slice(0, BEST_IN_FOLDER);
    return best.reduce((sum, score) => sum + score, 0) / FOLDER_SHARE;
  });
}

/** How strongly the other candidates refer to each: by a name that hardly anybody else defines. */
export function referenceSupport(
  view: View,
  numbers: readonly number[],
  files: readonly FileFacts[],
  scores: readonly number[],
): number[] {
  /** The place of a candidate, plus one; 0 for other files. */
  const places = new Uint32Array(view.fileCount);
  numbers.forEach((file, at) => (places[file] = at + 1));
  const sums = numbers.map(() => 0);
  for (let from = 0; from < files.length; from++) {
    const facts = files[from];
    const push = (scores[from] ?? 0) - LEAST_SCORE;
    if (facts === undefined || push <= 0) continue;
    const { segment, local } = facts;
    for (
      let at = segment.referenceOffsets[local] ?? 0;
      at < (segment.referenceOffsets[local + 1] ?? 0);
      at++
    ) {
      const place = (places[view.now(segment.references[at] ?? 0)] ?? 0) - 1;
      if (place >= 0 && place !== from) sums[place] = (sums[place] ?? 0) + push;
    }
  }
  return sums.map((sum) => Math.log(1 + sum));
}
