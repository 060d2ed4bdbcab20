/**
 * How long until a repository is searchable, what that takes, and how that compares with reading and hashing the same files and
 * with codegraph, in the same run. How soon a saved file is found while a server runs is for `npm run bench:fresh`.
 * `npm run bench:index -- --repos DIR [--annotations DIR] [--only a,b] [--rounds 3] [--codegraph DIR|none] [--peers 12]`
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PATIENT_WASM_FLAG, QUICK_COMPILER_FLAGS } from '../src/platform/index.ts';
import { folderBytes } from './folder-bytes.ts';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { openCodegraph, type Codegraph } from './index/codegraph.ts';
import { judge } from './index/judge.ts';
import { measure } from './index/measured-process.ts';
import { COLUMNS, meanOf, median, print, type Row, type Times } from './index/row.ts';
import { startRunning, type RunningProcess } from './index/running-process.ts';
import { timeFirstIndex } from './index/started-server.ts';
import { copyTrees, joinTrees, takeFiles, type Tree } from './index/trees.ts';

const UNCHANGED_FILES = 1000;

interface Runners {
  readonly searchable: RunningProcess;
  readonly complete: RunningProcess;
}

/** What one measurement of a tree is given. */
interface Given {
  /** One that is in it. */
  readonly word: string;
  /** A file that names those that are indexed. */
  readonly absPaths: string;
  readonly runners: Runners | undefined;
  readonly peer: Codegraph | undefined;
}

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    annotations: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    codegraph: { type: 'string' },
    peers: { type: 'string', default: '12' },
  },
});
if (values.repos === undefined) {
  process.stderr.write('error: no repositories\nhint: npm run bench:index -- --repos DIR\n');
  process.exit(2);
}
const rounds = Number(values.rounds);
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-bench-index-')));
const worker = await bundleEntry('bench/index/worker.ts');
const parser = await bundleEntry('bench/index/parse-alone.ts');
try {
  const met = await report(resolve(values.repos));
  process.exitCode = met ? 0 : 1;
} finally {
  worker.remove();
  parser.remove();
  rmSync(temp, { recursive: true, force: true });
}

async function report(repos: string): Promise<boolean> {
  const options = { annotations: values.annotations, only: values.only?.split(',') };
  const trees = copyTrees(repos, options, join(temp, 'trees'));
  const given = values.codegraph === undefined ? undefined : resolve(values.codegraph);
  const peer = values.codegraph === 'none' ? undefined : openCodegraph(given, temp);
  process.stdout.write(
    `Node ${process.version}, median of ${rounds} first indexes each, codegraph ${peer?.version ?? 'left out'}\n`,
  );
  process.stdout.write(
    `| ${COLUMNS.map(([head]) => head).join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}\n`,
  );
  // Each sees every tree once: what it has learned of one must not help with the same.
  const runners: Runners[] = [];
  for (let round = 0; round < rounds; round++)
    runners.push({
      searchable: await startRunner('running', round),
      complete: await startRunner('running-complete', round),
    });
  const rows: Row[] = [];
  let compared = 0;
  for (const tree of trees) {
    const row = await measureTree(tree, runners, compared < Number(values.peers) ? peer : undefined);
    if (!Number.isNaN(row.codegraphMs)) compared += 1;
    rows.push(row);
    print(row);
  }
  print(meanOf(rows));
  const whole = await measureTree(joinTrees(trees, join(temp, 'whole')), runners, undefined);
  print(whole);
  for (const { searchable, complete } of runners) await Promise.all([searchable.close(), complete.close()]);
  const unchangedMs = await measureAgain(takeFiles(trees, UNCHANGED_FILES, join(temp, 'thousand')));
  return judge(rows, whole, { files: UNCHANGED_FILES, ms: unchangedMs });
}

/** It has indexed a project of another kind before: our own source. */
function startRunner(mode: 'running' | 'running-complete', round: number): Promise<RunningProcess> {
  return startRunning(
    workerCommand(mode, resolve('src'), join(temp, 'homes', `${mode}-${round}`)),
    environment(),
  );
}

async function measureTree(
  tree: Tree,
  runners: readonly Runners[],
  peer: Codegraph | undefined,
): Promise<Row> {
  const runs: Times[] = [];
  let answer = {};
  let [dbBytes, home] = [0, ''];
  for (let round = 0; round < rounds; round++) {
    home = join(temp, 'homes', `${tree.name.replaceAll(/\W/g, '-')}-${round}`);
    const ours = await measure(workerCommand('cold', tree.root, home), { env: environment() });
    answer = parse(ours.stdout);
    dbBytes = folderBytes(join(home, 'cache'));
    const given = { word: word(answer), absPaths: join(home, 'paths.json'), runners: runners[round], peer };
    writeFileSync(given.absPaths, JSON.stringify(Reflect.get(answer, 'paths')));
    runs.push(await measureOnce(tree, home, given));
  }
  // The program itself once more, with all it starts.
  const watched = await measure(command('index', '--exact', tree.root), {
    env: homeOf(`${home}-watched`),
    watch: true,
  });
  const middle = (pick: (run: Times) => number): number => median(runs.map(pick));
  return {
    name: tree.name,
    files: number(answer, 'files'),
    chunks: number(answer, 'chunks'),
    sourceBytes: number(answer, 'sourceBytes'),
    runningMs: middle((run) => run.runningMs),
    runningCompleteMs: middle((run) => run.runningCompleteMs),
    searchableMs: middle((run) => run.searchableMs),
    processMs: middle((run) => run.processMs),
    completeMs: middle((run) => run.completeMs),
    hashMs: middle((run) => run.hashMs),
    parseMs: middle((run) => run.parseMs),
    codegraphMs: middle((run) => run.codegraphMs),
    codegraphOwnMs: middle((run) => run.codegraphOwnMs),
    rssMb: watched.peakRssMb ?? number(answer, 'ownRssMb'),
    // The larger of the two: what the index takes once everything is in it.
    dbBytes: Math.max(dbBytes, folderBytes(join(`${home}-complete`, 'cache'))),
  };
}

async function measureOnce(
  { root }: Tree,
  home: string,
  { word: asked, absPaths, runners, peer }: Given,
): Promise<Times> {
  const hashed = await measure(workerCommand('hash', root, home), { env: environment() });
  const parsed = await measure(
    [process.execPath, ...QUICK_COMPILER_FLAGS, PATIENT_WASM_FLAG, parser.absPath, root, absPaths],
    { env: environment() },
  );
  const runningMs = (await runners?.searchable.index(root)) ?? Number.NaN;
  const codegraph = await peer?.index(root);
  const runningCompleteMs = (await runners?.complete.index(root)) ?? Number.NaN;
  // The program itself, as a user starts it in a project that it has never seen.
  const search = await measure(command('search', asked, '--project', root), {
    env: homeOf(`${home}-search`),
  });
  const complete = await measure(command('index', '--exact', '--json', root), {
    env: homeOf(`${home}-complete`),
  });
  return {
    runningMs,
    runningCompleteMs,
    searchableMs: await timeFirstIndex({ root, env: homeOf(`${home}-server`), word: asked }),
    processMs: search.ms,
    completeMs: complete.ms,
    hashMs: number(parse(hashed.stdout), 'hashMs'),
    parseMs: parsed.ms,
    codegraphMs: codegraph?.ms ?? Number.NaN,
    codegraphOwnMs: codegraph?.ownMs ?? Number.NaN,
  };
}

async function measureAgain(tree: Tree): Promise<number> {
  const home = join(temp, 'homes', 'again');
  await measure(workerCommand('cold', tree.root, home), { env: environment() });
  const runs: unknown[] = [];
  for (let round = 0; round < Math.max(3, rounds); round++) {
    runs.push(parse((await measure(workerCommand('again', tree.root, home), { env: environment() })).stdout));
  }
  return median(runs.map((run) => number(run, 'unchangedMs')));
}

function command(...args: readonly string[]): readonly string[] {
  return [process.execPath, resolve('dist/main.js'), ...args];
}

function homeOf(home: string): Readonly<Record<string, string>> {
  return {
    ...environment(),
    HOME: home,
    WAYMARK_CACHE_DIR: join(home, 'cache'),
    WAYMARK_DATA_DIR: join(home, 'data'),
  };
}

function word(answer: object): string {
  const found: unknown = Reflect.get(answer, 'word');
  return typeof found === 'string' ? found : 'main';
}

function workerCommand(mode: string, root: string, home: string): readonly string[] {
  return [process.execPath, worker.absPath, mode, root, home];
}

function environment(): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '' };
}

function parse(stdout: string): object {
  const parsed: unknown = JSON.parse(stdout);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('The worker answered nothing.');
  return parsed;
}

function number(from: unknown, name: string): number {
  return typeof from === 'object' && from !== null ? Number(Reflect.get(from, name)) : Number.NaN;
}
