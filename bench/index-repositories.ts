/**
 * How long until a repository is searchable, what that takes, and how that compares with reading and hashing the same files and
 * with codegraph, in the same run. How soon a saved file is found while a server runs is for `npm run bench:fresh`.
 * `npm run bench:index -- --repos DIR [--annotations DIR] [--only a,b] [--rounds 3] [--codegraph DIR|none] [--peers 12]`
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { folderBytes } from './folder-bytes.ts';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { openCodegraph, type Codegraph } from './index/codegraph.ts';
import { measure } from './index/measured-process.ts';
import { timeFirstIndex } from './index/started-server.ts';
import { copyTrees, joinTrees, takeFiles, type Tree } from './index/trees.ts';

const GOALS = {
  searchableMs: 400,
  timesSooner: 10,
  timesCompleteSooner: 4,
  rssMb: 400,
  unchangedMs: 150,
  sizeRatio: 1.5,
} as const;
const UNCHANGED_FILES = 1000;

interface Row {
  readonly name: string;
  readonly files: number;
  readonly chunks: number;
  readonly sourceBytes: number;
  /** By a server that was started just now: from its first call to the answer of a search. */
  readonly searchableMs: number;
  /** `waymark search` in a project without an index: from the start of the process to its end. */
  readonly processMs: number;
  /** `waymark index --exact`, from the start of the process to its end. */
  readonly completeMs: number;
  readonly hashMs: number;
  readonly rssMb: number;
  readonly dbBytes: number;
  readonly codegraphMs: number | undefined;
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
try {
  const met = await report(resolve(values.repos));
  process.exitCode = met ? 0 : 1;
} finally {
  worker.remove();
  rmSync(temp, { recursive: true, force: true });
}

async function report(repos: string): Promise<boolean> {
  const options = { annotations: values.annotations, only: values.only?.split(',') };
  const trees = copyTrees(repos, options, join(temp, 'trees'));
  const given = values.codegraph === undefined ? undefined : resolve(values.codegraph);
  const peer = values.codegraph === 'none' ? undefined : openCodegraph(given, temp);
  process.stdout.write(
    `Node ${process.version}, median of ${rounds} cold runs, codegraph ${peer?.version ?? 'left out'}\n`,
  );
  process.stdout.write(
    '| repository | files | MB | searchable ms | MB/s | chunks | peak RSS MB | index ÷ source | read+hash ms | × | search command ms | index --exact ms | codegraph ms | × sooner | × complete sooner |\n',
  );
  process.stdout.write(`|${'---|'.repeat(15)}\n`);
  // Before and behind the others: machines that are shared get faster and slower, and neither side should gain by it.
  const before = await measureBoth(trees, 'before');
  const rows: Row[] = [];
  let compared = 0;
  for (const tree of trees) {
    const row = await measureTree(tree, compared < Number(values.peers) ? peer : undefined);
    if (row.codegraphMs !== undefined) compared += 1;
    rows.push(row);
    print(row);
  }
  print(meanOf(rows));
  const whole = await measureTree(joinTrees(trees, join(temp, 'whole')), undefined);
  print(whole);
  const more = await measureAgain(takeFiles(trees, UNCHANGED_FILES, join(temp, 'thousand')));
  return judge(rows, whole, {
    unchangedMs: more,
    ...meanOfBoth(before, await measureBoth(trees, 'behind')),
  });
}

type Running = Pick<Others, 'runningMs' | 'runningCompleteMs'>;

async function measureBoth(trees: readonly Tree[], when: string): Promise<Running> {
  return {
    runningMs: await measureRunning(trees, 'running', when),
    runningCompleteMs: await measureRunning(trees, 'running-complete', when),
  };
}

function meanOfBoth(one: Running, other: Running): Running {
  const meanOf = (a: readonly number[], b: readonly number[]): readonly number[] =>
    a.map((ms, at) => (ms + (b[at] ?? ms)) / 2);
  return {
    runningMs: meanOf(one.runningMs, other.runningMs),
    runningCompleteMs: meanOf(one.runningCompleteMs, other.runningCompleteMs),
  };
}

/** One process for all of them, as a server that runs already: what is compiled once stays. */
async function measureRunning(
  trees: readonly Tree[],
  mode: 'running' | 'running-complete',
  when: string,
): Promise<readonly number[]> {
  const roots = JSON.stringify(trees.map(({ root }) => root));
  const command = workerCommand(mode, roots, join(temp, 'homes', `${mode}-${when}`));
  const found: unknown = Reflect.get(parse((await measure(command, { env: environment() })).stdout), 'ms');
  return Array.isArray(found) ? found.map(Number) : [];
}

async function measureTree(tree: Tree, peer: Codegraph | undefined): Promise<Row> {
  const runs: {
    searchableMs: number;
    processMs: number;
    completeMs: number;
    hashMs: number;
    codegraphMs: number | undefined;
  }[] = [];
  let answer = {};
  let [dbBytes, home] = [0, ''];
  // Interleaved, so that a busy moment hits all of them alike.
  for (let round = 0; round < rounds; round++) {
    home = join(temp, 'homes', `${tree.name.replaceAll(/\W/g, '-')}-${round}`);
    const ours = await measure(workerCommand('cold', tree.root, home), { env: environment() });
    answer = parse(ours.stdout);
    dbBytes = folderBytes(join(home, 'cache'));
    const hashed = parse(
      (await measure(workerCommand('hash', tree.root, home), { env: environment() })).stdout,
    );
    // The program itself, as somebody starts it in a project that it has never seen.
    const search = await measure(command('search', word(answer), '--project', tree.root), {
      env: homeOf(`${home}-search`),
    });
    const complete = await measure(command('index', '--exact', '--json', tree.root), {
      env: homeOf(`${home}-complete`),
    });
    const codegraphMs = (await peer?.index(tree.root))?.ms;
    runs.push({
      searchableMs: await timeFirstIndex({
        root: tree.root,
        env: homeOf(`${home}-server`),
        word: word(answer),
      }),
      processMs: search.ms,
      completeMs: complete.ms,
      hashMs: number(hashed, 'hashMs'),
      codegraphMs,
    });
  }
  // The program itself once more, with all it starts.
  const watched = await measure(command('index', '--exact', tree.root), {
    env: homeOf(`${home}-watched`),
    watch: true,
  });
  return {
    name: tree.name,
    files: number(answer, 'files'),
    chunks: number(answer, 'chunks'),
    sourceBytes: number(answer, 'sourceBytes'),
    searchableMs: median(runs.map((run) => run.searchableMs)),
    processMs: median(runs.map((run) => run.processMs)),
    completeMs: median(runs.map((run) => run.completeMs)),
    hashMs: median(runs.map((run) => run.hashMs)),
    rssMb: watched.peakRssMb ?? number(answer, 'ownRssMb'),
    // The larger of the two: what the index takes once everything is in it.
    dbBytes: Math.max(dbBytes, folderBytes(join(`${home}-complete`, 'cache'))),
    codegraphMs: medianIfAny(runs.flatMap((run) => run.codegraphMs ?? [])),
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

interface Others {
  readonly unchangedMs: number;
  readonly runningMs: readonly number[];
  readonly runningCompleteMs: readonly number[];
}

function judge(
  rows: readonly Row[],
  whole: Row,
  { unchangedMs, runningMs, runningCompleteMs }: Others,
): boolean {
  const mean = meanOf(rows);
  const compared = rows.filter(({ codegraphMs }) => codegraphMs !== undefined);
  const sooner = compared.map(({ codegraphMs = 0, processMs }) => codegraphMs / processMs);
  const completeSooner = compared.map(({ codegraphMs = 0, completeMs }) => codegraphMs / completeMs);
  const results: readonly (readonly [string, number, 'most' | 'least', number])[] = [
    [
      'mean ms to searchable, by a server that was just started',
      mean.searchableMs,
      'most',
      GOALS.searchableMs,
    ],
    [
      'mean ms to searchable, by the process that runs already',
      average(runningMs),
      'most',
      GOALS.searchableMs,
    ],
    [
      'times sooner than codegraph, by the process that runs already',
      timesSooner(rows, runningMs),
      'least',
      GOALS.timesSooner,
    ],
    [
      'times sooner than codegraph, by a server that was just started',
      average(compared.map(({ codegraphMs = 0, searchableMs }) => codegraphMs / searchableMs)),
      'least',
      GOALS.timesSooner,
    ],
    [
      `times sooner than codegraph, from the start of each process to its answer, mean of ${compared.length}`,
      average(sooner),
      'least',
      GOALS.timesSooner,
    ],
    [
      'times sooner complete than codegraph, by the process that runs already',
      timesSooner(rows, runningCompleteMs),
      'least',
      GOALS.timesCompleteSooner,
    ],
    [
      'times sooner complete than codegraph, from the start of each process',
      average(completeSooner),
      'least',
      GOALS.timesCompleteSooner,
    ],
    [`peak RSS in MB for ${(whole.sourceBytes / 1e6).toFixed(0)} MB`, whole.rssMb, 'most', GOALS.rssMb],
    ['index ÷ source, all as one', whole.dbBytes / whole.sourceBytes, 'most', GOALS.sizeRatio],
    [`ms for ${UNCHANGED_FILES} unchanged files`, unchangedMs, 'most', GOALS.unchangedMs],
  ];
  process.stdout.write('\n| what | measured | goal | |\n|---|---|---|---|\n');
  const verdicts = results
    .filter(([, measured]) => !Number.isNaN(measured))
    .map(([what, measured, kind, goal]) => {
      const met = kind === 'most' ? measured <= goal : measured >= goal;
      process.stdout.write(
        `| ${what} | ${measured.toFixed(2)} | ${kind === 'most' ? '≤' : '≥'} ${goal} | ${met ? 'met' : 'missed'} |\n`,
      );
      return met;
    });
  return verdicts.every(Boolean);
}

/** The mean of those that codegraph has indexed as well. */
function timesSooner(rows: readonly Row[], ours: readonly number[]): number {
  return average(
    rows.flatMap(({ codegraphMs }, at) =>
      codegraphMs === undefined ? [] : [codegraphMs / (ours[at] ?? Number.NaN)],
    ),
  );
}

function print(row: Row): void {
  const { codegraphMs } = row;
  const cells = [
    row.name,
    row.files.toFixed(0),
    (row.sourceBytes / 1e6).toFixed(2),
    row.searchableMs.toFixed(0),
    (row.sourceBytes / 1000 / row.searchableMs).toFixed(1),
    row.chunks.toFixed(0),
    row.rssMb.toFixed(0),
    (row.dbBytes / row.sourceBytes).toFixed(2),
    row.hashMs.toFixed(0),
    (row.searchableMs / row.hashMs).toFixed(1),
    row.processMs.toFixed(0),
    row.completeMs.toFixed(0),
    codegraphMs?.toFixed(0) ?? '',
    codegraphMs === undefined ? '' : (codegraphMs / row.processMs).toFixed(1),
    codegraphMs === undefined ? '' : (codegraphMs / row.completeMs).toFixed(1),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function meanOf(rows: readonly Row[]): Row {
  const mean = (pick: (row: Row) => number): number => average(rows.map(pick));
  return {
    name: `mean of ${rows.length}`,
    files: mean(({ files }) => files),
    chunks: mean(({ chunks }) => chunks),
    sourceBytes: mean(({ sourceBytes }) => sourceBytes),
    searchableMs: mean(({ searchableMs }) => searchableMs),
    processMs: mean(({ processMs }) => processMs),
    completeMs: mean(({ completeMs }) => completeMs),
    hashMs: mean(({ hashMs }) => hashMs),
    rssMb: mean(({ rssMb }) => rssMb),
    dbBytes: mean(({ dbBytes }) => dbBytes),
    codegraphMs: undefined,
  };
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

function medianIfAny(of: readonly number[]): number | undefined {
  return of.length === 0 ? undefined : median(of);
}

function median(of: readonly number[]): number {
  return of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
}

function average(of: readonly number[]): number {
  return of.reduce((sum, value) => sum + value, 0) / of.length;
}
