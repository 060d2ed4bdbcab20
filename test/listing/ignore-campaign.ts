/** Compares our ignore rules with git's on generated trees. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askGit, askWaymark, plantTree } from './git-verdicts.ts';
import { createRandomTree } from './random-tree.ts';

export interface Mismatch {
  readonly seed: number;
  readonly path: string;
  readonly git: string | undefined;
  readonly ours: string | undefined;
}

export interface IgnoreReport {
  readonly trees: number;
  readonly paths: number;
  readonly ignored: number;
  readonly mismatches: readonly Mismatch[];
}

/** Two trees at a time. */
export async function compareWithGit(firstSeed: number, trees: number): Promise<IgnoreReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-ignore-')));
  const mismatches: Mismatch[] = [];
  let paths = 0;
  let ignored = 0;
  let seed = firstSeed;
  const last = firstSeed + trees;
  async function work(): Promise<void> {
    while (seed < last) {
      const current = seed++;
      const root = join(folder, String(current));
      const tree = createRandomTree(current);
      plantTree(root, tree);
      const [git, ours] = await Promise.all([askGit(root, tree.paths), askWaymark(root, tree.paths)]);
      if (git.size !== ours.size) throw new Error(`git answered for ${git.size} of ${ours.size} paths`);
      for (const [path, verdict] of git) {
        paths++;
        if (verdict !== undefined) ignored++;
        if (ours.get(path) !== verdict)
          mismatches.push({ seed: current, path, git: verdict, ours: ours.get(path) });
      }
      rmSync(root, { recursive: true, force: true });
    }
  }
  try {
    await Promise.all([work(), work()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { trees, paths, ignored, mismatches };
}
