/**
 * How fast the commits of repositories are read, and how much is kept of them, beside `git log --name-only` in the same run. Both
 * pass over merges and tell every changed file. Times are of the clock; ours also of the processor, for a busy machine.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { languageOf } from '../src/languages/index.ts';
import { readHistory } from '../src/indexing/read-history.ts';
import { systemClock } from '../src/platform/index.ts';
import { readPlace } from '../src/workspace/index.ts';

const { values } = parseArgs({ options: { repos: { type: 'string' }, only: { type: 'string' } } });
if (values.repos === undefined) {
  process.stderr.write(
    'error: --repos is needed\nhint: npm run bench:history -- --repos DIR [--only NAME,NAME]\n',
  );
  process.exit(2);
}
const MOST_SOURCE_BYTES = 1024 * 1024;
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const git = (root: string, ...args: readonly string[]): { readonly text: string; readonly ms: number } => {
  const started = performance.now();
  const { stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  return { text: stdout, ms: performance.now() - started };
};

print(
  '| repository | commits | ms | commits/s | processor ms | commits/processor s | git log ms | kept | of the source |\n|---|---|---|---|---|---|---|---|---|',
);
const only = values.only?.split(',') ?? [];
for (const name of readdirSync(values.repos).toSorted()) {
  const root = join(resolve(values.repos), name);
  const { identity: commonDir, folder, commit: head } = readPlace(root, root);
  if (head === undefined || (only.length > 0 && !only.includes(name))) continue;
  const log = git(root, 'log', '--no-merges', '--no-renames', '--name-only', '--format=%x00%s');
  let sourceBytes = 0;
  const paths = git(root, 'ls-tree', '-r', '-z', '--name-only', 'HEAD')
    .text.split('\0')
    .filter((path) => {
      if (languageOf(path) === undefined) return false;
      const size = statSync(join(root, path), { throwIfNoEntry: false })?.size ?? Infinity;
      if (size > MOST_SOURCE_BYTES) return false;
      sourceBytes += size;
      return true;
    });
  const [started, processor] = [performance.now(), process.cpuUsage()];
  const made = readHistory(
    { commonDir, folder, head, paths, before: undefined, mostBytes: Math.floor(sourceBytes / 5) },
    systemClock,
  );
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(processor);
  const processorMs = (user + system) / 1000;
  const rate = (of: number): string => ((made.commits / of) * 1000).toFixed(0);
  print(
    `| ${name} | ${made.commits} | ${ms.toFixed(0)} | ${rate(ms)} | ${processorMs.toFixed(0)} | ${rate(processorMs)} | ${log.ms.toFixed(0)} | ${made.packed.length} | ${(made.packed.length / sourceBytes).toFixed(3)} |`,
  );
}
