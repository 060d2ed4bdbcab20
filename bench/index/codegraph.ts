/** The peer we compare with, from npm, in a folder of its own: never a dependency of ours. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './measured-process.ts';

const PACKAGE = '@colbymchenry/codegraph';

export interface CodegraphRun {
  /** The whole command, from the start of its process to its end. */
  readonly ms: number;
  /** What it says itself that indexing took: without the start of its processes. */
  readonly ownMs: number;
}

export interface Codegraph {
  readonly version: string;
  /** Indexes a folder from nothing, or gives undefined if it knows none of its languages. It writes into the folder. */
  index(root: string): Promise<CodegraphRun | undefined>;
  /** The same, with its database to read before it is removed. */
  read<T>(root: string, use: (database: string) => T): Promise<T | undefined>;
}

/** `given`: a folder that has it in its node_modules; without one npm installs it into `temp`. */
export function openCodegraph(given: string | undefined, temp: string): Codegraph {
  const folder = given ?? install(temp);
  const bin = join(folder, 'node_modules', '.bin', 'codegraph');
  if (!existsSync(bin)) throw new Error(`There is no codegraph in ${folder}.`);
  const home = join(temp, 'codegraph-home');
  mkdirSync(home, { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    // Nothing but its work: no reports, no downloads, no server that stays.
    CODEGRAPH_TELEMETRY: '0',
    DO_NOT_TRACK: '1',
    CODEGRAPH_NO_DOWNLOAD: '1',
    CODEGRAPH_NO_DAEMON: '1',
    NO_COLOR: '1',
  };
  async function run<T>(root: string, use: (run: CodegraphRun) => T): Promise<T | undefined> {
    const own = join(root, '.codegraph');
    rmSync(own, { recursive: true, force: true });
    try {
      const { stdout, ms } = await measure([bin, 'init', root], { env, cwd: root });
      if (stdout.includes('No supported source files')) return undefined;
      if (!/Indexed [\d,]+ files/.test(stdout)) throw new Error(`It indexed nothing:\n${stdout.slice(-300)}`);
      return use({ ms, ownMs: ownMsIn(stdout) });
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  return {
    version: execFileSync(bin, ['version'], { env, encoding: 'utf8' }).trim(),
    index: (root) => run(root, (measured) => measured),
    read: (root, use) => run(root, () => use(join(root, '.codegraph', 'codegraph.db'))),
  };
}

/** `… nodes, … edges in 840ms`, or `in 1.2s`. */
function ownMsIn(stdout: string): number {
  const [, number, unit] = / edges in ([\d.]+)(ms|s)\b/.exec(stdout) ?? [];
  if (number === undefined) throw new Error(`It does not say how long it took:\n${stdout.slice(-300)}`);
  return Number(number) * (unit === 's' ? 1000 : 1);
}

function install(temp: string): string {
  const folder = join(temp, 'codegraph');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', PACKAGE], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}
