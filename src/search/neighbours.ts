/** What a file's neighbours say: those in its folder, and those that refer to it. */
import { filesDefining } from './candidates.ts';
import type { FileFacts } from './file-facts.ts';
import { LEADING } from './segment.ts';
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
  const places = new Map(numbers.map((file, at) => [file, at]));
  const targets = createTargets(view, places);
  const sums = numbers.map(() => 0);
  files.forEach(({ segment, local }, from) => {
    const push = (scores[from] ?? 0) - LEAST_SCORE;
    if (push <= 0) return;
    const reached = new Set<number>();
    const own = numbers[from] ?? -1;
    for (let at = segment.referenceOffsets[local] ?? 0; at < (segment.referenceOffsets[local + 1] ?? 0); at++)
      for (const target of targets(segment.references[at] ?? 0, own)) reached.add(target);
    for (const target of reached) sums[target] = (sums[target] ?? 0) + push;
  });
  return sums.map((sum) => Math.log(1 + sum));
}

const NOBODY: readonly number[] = [];

/** The candidates that a name leads to, for a file that does not define it itself. */
function createTargets(
  view: View,
  places: ReadonlyMap<number, number>,
): (name: number, from: number) => readonly number[] {
  const known = new Map<number, { files: readonly number[]; candidates: readonly number[] }>();
  const look = (name: number): { files: readonly number[]; candidates: readonly number[] } => {
    const defining = filesDefining(view, name);
    const strong = [...defining].filter(([, weight]) => weight >= LEADING.leastWeight).map(([file]) => file);
    const usable = strong.length > 0 && strong.length <= LEADING.mostFiles;
    return {
      files: [...defining.keys()],
      candidates: usable ? strong.flatMap((file) => places.get(file) ?? []) : NOBODY,
    };
  };
  return (name, from) => {
    let found = known.get(name);
    if (found === undefined) {
      found = look(name);
      known.set(name, found);
    }
    return found.candidates.length === 0 || found.files.includes(from) ? NOBODY : found.candidates;
  };
}
