/** What git says about every path of a tree, and what we say about the same. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '../../src/workspace/index.ts';
import type { RandomTree } from './random-tree.ts';

/** Writes the tree with the least that git takes for a repository. */
export function plantTree(root: string, tree: RandomTree): void {
  for (const folder of ['.git/objects', '.git/refs', '.git/info'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tignorecase = ${tree.ignoresCase}\n`;
  writeFileSync(join(root, '.git/config'), config);
  if (tree.exclude !== '') writeFileSync(join(root, '.git/info/exclude'), tree.exclude);
  writeFileSync(join(root, '.git/global'), tree.globalExcludes);
  for (const path of tree.paths) {
    if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true });
    else {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), tree.ruleFiles.get(path) ?? '');
    }
  }
}

/** Path without a trailing slash → `file:line` of the rule that leaves it out, or undefined. */
export type Verdicts = ReadonlyMap<string, string | undefined>;

const NO_CONFIG = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export async function askGit(root: string, paths: readonly string[]): Promise<Verdicts> {
  const command = ['check-ignore', '--no-index', '--stdin', '-z', '-v', '-n'];
  const git = spawn(
    'git',
    ['-c', 'core.excludesFile=.git/global', '-c', 'core.fsmonitor=false', ...command],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: root, LC_ALL: 'C', ...NO_CONFIG },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const chunks: Buffer[] = [];
  git.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The dot keeps a path such as `:` from being read as a pathspec with magic.
  git.stdin.end(paths.map((path) => `./${path.replace(/\/$/, '')}\0`).join(''));
  await new Promise((resolve, reject) => git.on('error', reject).on('close', resolve));
  const fields = Buffer.concat(chunks).toString('utf8').split('\0');
  const verdicts = new Map<string, string | undefined>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = '', line = '', pattern = '', path = ''] = fields.slice(at, at + 4);
    const isIgnored = source !== '' && !pattern.startsWith('!');
    verdicts.set(
      path.slice('./'.length),
      isIgnored ? `${source.replace('.git/global', 'global excludes')}:${line}` : undefined,
    );
  }
  return verdicts;
}

export async function askWaymark(root: string, paths: readonly string[]): Promise<Verdicts> {
  const ignored = new Map<string, string>();
  const options = { globalExcludes: join(root, '.git/global') };
  for await (const { skips } of listFiles(root, options, new AbortController().signal)) {
    for (const { path, reason, detail } of skips) {
      if (reason === 'ignored') ignored.set(path, /^(.*?:\d+) /s.exec(detail ?? '')?.[1] ?? '');
    }
  }
  return new Map(
    paths.map((path) => {
      // The path itself or the first folder around it that is left out.
      const parts = path.replace(/\/$/, '').split('/');
      const folders = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
      const found = [...folders.filter((folder) => folder.length <= path.length), path].find((one) =>
        ignored.has(one),
      );
      return [path.replace(/\/$/, ''), found === undefined ? undefined : ignored.get(found)];
    }),
  );
}
