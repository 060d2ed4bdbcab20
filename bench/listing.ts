/** What a listing of 5,000 files costs, beside a plain recursive readdir and one with lstat, in the same run. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from '../src/workspace/index.ts';

const FILES = Number(process.argv[2] ?? 5000);
const ROUNDS = Number(process.argv[3] ?? 25);
const GOAL_MS = 60;
const FILES_PER_FOLDER = 20;
const RULES =
  'node_modules/ /dist *.log *.tmp *~ .DS_Store coverage/ !keep.log *.py[cod] /out-*/ docs/**/_build **/generated/** cmake-build-* .env* *.swp Thumbs.db /packages/*/lib tmp/'.split(
    ' ',
  );

const root = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-bench-')));
for (let file = 0; file < FILES; file++) {
  const folder = Math.floor(file / FILES_PER_FOLDER);
  const path = join(root, 'packages', `p${folder % 25}`, 'src', `module-${folder}`);
  if (file % FILES_PER_FOLDER === 0) mkdirSync(path, { recursive: true });
  writeFileSync(join(path, `file-${file}.ts`), 'export const value = 1;\n');
}
mkdirSync(join(root, '.git', 'info'), { recursive: true });
writeFileSync(join(root, '.gitignore'), `${RULES.join('\n')}\n`);
for (let folder = 0; folder < 25; folder++)
  writeFileSync(join(root, 'packages', `p${folder}`, '.gitignore'), '/lib\n*.js\n');

async function list(): Promise<number> {
  let count = 0;
  for await (const batch of listFiles(root, {}, new AbortController().signal)) count += batch.files.length;
  return count;
}

function readAll(): number {
  return readdirSync(root, { recursive: true }).length;
}

function readAllAndLook(): number {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => lstatSync(join(root, path)).isFile()).length;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

interface Case {
  readonly label: string;
  readonly run: () => number | Promise<number>;
  readonly took: number[];
}
const cases: readonly Case[] = [
  { label: 'recursive readdir (baseline)', run: readAll, took: [] },
  { label: 'recursive readdir and lstat', run: readAllAndLook, took: [] },
  { label: 'listFiles', run: list, took: [] },
];
try {
  for (let round = -3; round < ROUNDS; round++) {
    for (const { run, took } of cases) {
      const start = performance.now();
      await run();
      if (round >= 0) took.push(performance.now() - start);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

const base = percentile(cases[0]?.took ?? [], 0.5);
process.stdout.write(`${FILES} files, ${ROUNDS} rounds, Node ${process.version}\n`);
process.stdout.write('| case | p50 ms | best ms | × baseline |\n|---|---|---|---|\n');
for (const { label, took } of cases) {
  const p50 = percentile(took, 0.5);
  process.stdout.write(
    `| ${label} | ${p50.toFixed(1)} | ${Math.min(...took).toFixed(1)} | ${(p50 / base).toFixed(2)} |\n`,
  );
}
const isMet = percentile(cases.at(-1)?.took ?? [], 0.5) <= GOAL_MS;
process.stdout.write(`goal: at most ${GOAL_MS} ms at p50: ${isMet ? 'met' : 'missed'}\n`);
process.exitCode = isMet ? 0 : 1;
