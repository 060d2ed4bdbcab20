/**
 * How fast a search is: in process, over stdio and as a command, at several sizes of generated code and, where repositories are
 * given, of real code, beside ripgrep for the same words over the same tree; and the vector kernel beside the same sums in plain
 * JavaScript. `[CHUNKS...] [--repos DIR --annotations DIR]`
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createVectorTable, normalize, quantize } from '../src/embedding/index.ts';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { folderBytes } from './folder-bytes.ts';
import { generateTree, type SearchedTree } from './search/generated-tree.ts';
import { quietestRound } from './search/quiet-round.ts';
import { copyRealTree } from './search/real-tree.ts';
import { STATS_HEAD } from './search/tree-stats.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { repos: { type: 'string' }, annotations: { type: 'string' } },
});
const given = positionals.map(Number);
const sizes = given.length > 0 ? given : [2_000, 20_000, 100_000, 500_000];
/** There is not more of it. */
const REAL_SIZES = [2_000, 20_000, Number.POSITIVE_INFINITY];
const QUESTIONS = 900;
const RG_QUESTIONS = 5;
/** Too frequent to search for. */
const SHORTEST_WORD = 4;
const COMMANDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'waymark-search-'));

interface Made {
  readonly indexMs: number;
  /** Keeping what search needs for the next process, which `waymark index` does at its end. */
  readonly keepMs: number;
  readonly stats: string;
}

interface Measured {
  readonly chunks: number;
  readonly loadMs: number;
  readonly p50: number;
  readonly p95: number;
  /** Of pasted texts of 2,000 words. */
  readonly reportP50: number;
  readonly reportP95: number;
  readonly rssMb: number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** ripgrep as npm has it: a package per platform, with nothing to download. */
function installRipgrep(): string {
  const place = join(folder, 'rg');
  mkdirSync(place);
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  execFileSync('npm', ['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', name], {
    stdio: 'ignore',
  });
  return join(place, 'node_modules', name, 'bin', 'rg');
}

function timeRipgrep(rg: string, root: string, tree: SearchedTree): number {
  const took = Array.from({ length: RG_QUESTIONS }, (_, number) => {
    const all = tree
      .question(number)
      .split(/\W+/)
      .filter((word) => word !== '');
    const long = all.filter((word) => word.length >= SHORTEST_WORD);
    // Without any it would take the folder for what to look for.
    const words = (long.length > 0 ? long : all).flatMap((word) => ['-e', word]);
    const started = performance.now();
    spawnSync(rg, ['--line-number', '--no-heading', ...words, root], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    return performance.now() - started;
  });
  return median(took);
}

function environmentOf(root: string, home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    WAYMARK_PROJECT: root,
    PATH: process.env['PATH'] ?? '',
  };
}

/** `waymark search`, from the start of its process to its end. */
function timeCommand(root: string, home: string, questions: readonly string[]): number {
  const took = questions.slice(0, COMMANDS).map((query) => {
    const started = performance.now();
    const { status } = spawnSync(
      process.execPath,
      [resolve('dist/main.js'), 'search', query, '--project', root],
      { env: environmentOf(root, home), stdio: ['ignore', 'ignore', 'ignore'] },
    );
    if (status !== 0) throw new Error(`waymark search ended with ${status}`);
    return performance.now() - started;
  });
  return median(took);
}

async function overStdio(
  root: string,
  home: string,
  questions: readonly string[],
): Promise<{ first: number; p50: number; p95: number }> {
  const started = performance.now();
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('dist/main.js'), 'mcp'],
    env: environmentOf(root, home),
    stderr: 'ignore',
  });
  await client.connect(transport);
  const ask = (query: string): Promise<unknown> =>
    client.callTool({ name: 'search_code', arguments: { query } });
  await ask(questions[0] ?? 'x');
  const first = performance.now() - started;
  // Following begins with the first call: the others are asked when it has settled.
  for (let round = 0; round < 20; round++) await ask(`settle ${round}`);
  const round = await quietestRound(questions, ask);
  await client.close();
  return { first, ...round };
}

function measureKernel(rows: number): void {
  const values = (seed: number): Float32Array =>
    normalize(Float32Array.from({ length: 128 }, (_, d) => Math.sin(seed * 128 + d * 1.7)));
  const tables = (['wasm', 'plain'] as const).map((engine) => {
    const table = createVectorTable(128, rows, engine);
    for (let row = 0; row < rows; row++) table.set(row, quantize(values(row)));
    return table;
  });
  const question = values(-1);
  const results = tables.map((table) => {
    const scores = new Float32Array(rows);
    const took = Array.from({ length: 41 }, () => {
      const started = performance.now();
      table.scan(question, scores);
      return performance.now() - started;
    });
    return { ms: median(took), scores };
  });
  const [wasm, plain] = results;
  if (wasm === undefined || plain === undefined) return;
  const isSame = wasm.scores.every((score, at) => score === plain.scores[at]);
  const ratio = plain.ms / wasm.ms;
  print(
    `| ${rows} × 128 | ${wasm.ms.toFixed(2)} | ${plain.ms.toFixed(2)} | ${ratio.toFixed(1)} × | ≥ 6 × | ${isSame ? 'the same' : 'DIFFERENT'} |`,
  );
}

/** One row of the table; what the tree is like goes to the end of the list. */
async function measureTree(
  tree: SearchedTree,
  { name, root, home }: { readonly name: string; readonly root: string; readonly home: string },
  { rg, worker, likeness }: { readonly rg: string; readonly worker: string; readonly likeness: string[] },
): Promise<void> {
  mkdirSync(home, { recursive: true });
  const questions = Array.from({ length: Math.min(QUESTIONS, tree.questions) }, (_, at) => tree.question(at));
  const questionFile = join(home, 'questions.json');
  writeFileSync(questionFile, JSON.stringify(questions));
  const run = (): unknown =>
    JSON.parse(
      execFileSync(process.execPath, [worker, root, home, questionFile], {
        encoding: 'utf8',
        maxBuffer: 1e8,
      }),
    );
  // The worker is ours: the first run prints what it made.
  const made = run() as Made;
  // And the second what it measured.
  const warm = run() as Measured;
  likeness.push(`| ${name} ${made.stats}`);
  const commandMs = timeCommand(root, home, questions);
  const stdio = await overStdio(root, home, questions);
  const rgMs = timeRipgrep(rg, root, tree);
  const cells = [
    name,
    warm.chunks,
    (made.indexMs / 1000).toFixed(1),
    made.keepMs.toFixed(0),
    `${(folderBytes(join(home, 'cache')) / tree.bytes).toFixed(2)} ×`,
    warm.loadMs.toFixed(0),
    warm.p50.toFixed(2),
    warm.p95.toFixed(2),
    warm.reportP50.toFixed(1),
    warm.reportP95.toFixed(1),
    commandMs.toFixed(0),
    stdio.first.toFixed(0),
    stdio.p50.toFixed(2),
    stdio.p95.toFixed(2),
    rgMs.toFixed(0),
    `${(rgMs / warm.p50).toFixed(0)} ×`,
    warm.rssMb.toFixed(0),
  ];
  print(`| ${cells.join(' | ')} |`);
  rmSync(root, { recursive: true, force: true });
}

try {
  const worker = await bundleEntry('bench/search/worker.ts');
  const rg = installRipgrep();
  print(
    `search: ${QUESTIONS} questions of four words about generated code, labelled ones about real code, and pasted reports of 2,000 words made of them; p50 and p95 of the quietest of five rounds behind one that warms up; Node ${process.version}`,
  );
  print(
    '| code | chunks | index s | keep ms | index ÷ source | load ms | p50 ms | p95 ms | report p50 | report p95 | command ms | stdio first ms | stdio p50 | stdio p95 | ripgrep ms | ripgrep ÷ p50 | RSS MB |',
  );
  print('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  const likeness: string[] = [];
  const parts = { rg, worker: worker.absPath, likeness };
  for (const size of sizes) {
    const place = {
      name: 'generated',
      root: join(folder, `tree-${size}`),
      home: join(folder, `home-${size}`),
    };
    await measureTree(generateTree(place.root, size), place, parts);
  }
  const { repos, annotations } = options;
  if (repos !== undefined && annotations !== undefined) {
    for (const size of REAL_SIZES) {
      const place = {
        name: 'real',
        root: join(folder, `real-${size}`),
        home: join(folder, `real-home-${size}`),
      };
      const from = { repos: resolve(repos), annotations: resolve(annotations) };
      await measureTree(copyRealTree(place.root, size, from), place, parts);
    }
  }
  print(
    `\nwhat was searched, to be compared with real code (bench/search/generated-tree.ts has its numbers)`,
  );
  const head = `| code ${STATS_HEAD}`;
  print(`${head}\n${head.replaceAll(/[^|]+/g, '---')}\n${likeness.join('\n')}`);
  worker.remove();
  print(
    '\n| vector scan | kernel ms | plain JavaScript ms | ratio | goal | results |\n|---|---|---|---|---|---|',
  );
  for (const rows of [20_000, 100_000]) measureKernel(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
