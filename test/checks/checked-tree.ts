/** A small tree in a temp folder with this repository's settings, checked once by the real command. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPO_ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETTINGS = ['tsconfig.json', '.oxlintrc.json', '.oxfmtrc.json'];

export interface CheckRun {
  readonly code: number;
  readonly output: string;
  /** The findings about one place: `src/core/a.ts`, or `src/core/a.ts:3`. */
  about(place: string): string;
}

/** Runs `node scripts/check.mjs` with these arguments. */
export function runCheck(...args: readonly string[]): Promise<CheckRun> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(REPO_ROOT, 'scripts/check.mjs'), ...args], (error, stdout, stderr) => {
      const output = stdout + stderr;
      const about = (place: string): string =>
        output
          .split('\n')
          .filter((line) => line.startsWith(/:\d+$/.test(place) ? `  ${place}  ` : `  ${place}:`))
          .join('\n');
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, about });
    });
  });
}

/** Writes the files, runs the named steps (all when none is named) and removes the tree again. */
export async function checkTree(files: Readonly<Record<string, string>>, steps?: string): Promise<CheckRun> {
  const root = await mkdtemp(join(tmpdir(), 'waymark-check-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    for (const name of SETTINGS) await copyFile(join(REPO_ROOT, name), join(root, name));
    await symlink(join(REPO_ROOT, 'node_modules'), join(root, 'node_modules'), 'dir');
    return await runCheck('--root', root, ...(steps === undefined ? [] : ['--only', steps]));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
