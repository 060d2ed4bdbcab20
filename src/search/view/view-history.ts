/** What commits say of the files of a view: by word, and how many there were. */
import { eachFileOf, type FileHistory } from '../../storage/index.ts';

export interface ViewHistory {
  /** How many commits touched a file of the view. */
  commitsOf(file: number): number;
  /** BM25 of words, with their weights, over the subjects of the commits that touched each file. The next call overwrites it. */
  score(tokens: ReadonlyMap<number, number>): HistoryScores;
}

export interface HistoryScores {
  /** Of a file of the view; 0 is no match. */
  of(file: number): number;
  readonly best: number;
}

const LIMITS = { k1: 1.2, b: 0.75 } as const;

/** `viewPaths`: of the files of the view, by their numbers. */
export function createViewHistory(history: FileHistory, viewPaths: readonly string[]): ViewHistory {
  const { paths, commits, lengths } = history;
  const placeOf = new Map(paths.map((path, at) => [path, at]));
  /** By file of the view: its place in the history plus one; 0 for none. */
  const places = Uint32Array.from(viewPaths, (path) => (placeOf.get(path) ?? -1) + 1);
  const count = Math.max(1, paths.length);
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / count);
  const scores = new Float32Array(paths.length);
  const [flat, steep] = [LIMITS.k1 * (1 - LIMITS.b), (LIMITS.k1 * LIMITS.b) / mean];
  const inHistory = (values: ArrayLike<number>, file: number): number => {
    const place = places[file] ?? 0;
    return place === 0 ? 0 : (values[place - 1] ?? 0);
  };
  return {
    commitsOf: (file) => inHistory(commits, file),
    score(tokens) {
      scores.fill(0);
      for (const [word, weight] of tokens) {
        let found = 0;
        eachFileOf(history, word, () => (found += 1));
        const rarity = Math.log(1 + (count - found + 0.5) / (found + 0.5)) * weight;
        eachFileOf(history, word, (file, times) => {
          const share = times / (times + flat + steep * (lengths[file] ?? 0));
          scores[file] = (scores[file] ?? 0) + rarity * share;
        });
      }
      let best = 0;
      for (let at = 0; at < scores.length; at++) best = Math.max(best, scores[at] ?? 0);
      return { of: (file) => inHistory(scores, file), best };
    },
  };
}
