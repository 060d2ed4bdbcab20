/**
 * What structure costs: milliseconds of an answer, from a save to an answer that has it, size and time of the index against one without
 * facts in the same run, memory of all processes, and a repository that is made to take long. Real code, copied from `--repos DIR`.
 * npm run bench:structure-speed -- --repos DIR [--chunks 20000,200000] [--rounds 3] [--keep DIR] [--skip facts,memory,hostile]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { hostileStructure } from '../test/support/hostile-structure.ts';
import { folderBytes } from './folder-bytes.ts';
import { measure } from './index/measured-process.ts';
import { plantSaves, timeSaves } from './structure/speed-server.ts';
import { copySources } from './structure/speed-tree.ts';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    chunks: { type: 'string', default: '20000,200000' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
    skip: { type: 'string', default: '' },
  },
});
if (values.repos === undefined) {
  process.stderr.write('error: no repositories\nhint: npm run bench:structure-speed -- --repos DIR\n');
  process.exit(2);
}
const repos = resolve(values.repos);
const rounds = Number(values.rounds);
const skipped = new Set(values.skip.split(','));
const temp = mkdtempSync(join(tmpdir(), 'waymark-structure-speed-'));
const kept = values.keep === undefined ? temp : resolve(values.keep);

/** As code has it; see `npm run bench:search`. */
const BYTES_PER_CHUNK = 930;
const FACTS_BYTES = 6_000_000;
const MEMORY_BYTES = 61_000_000;
const GOALS = {
  p95: [15, 60],
  saveMs: 150,
  size: 1.5,
  facts: 1.25,
  memoryMb: 420,
  hostileMs: 60_000,
} as const;
/** Milliseconds of an answer, by chunks. */
const ANSWER_GOALS: Readonly<Record<number, number>> = { 20_000: 15, 200_000: 60 };
const missed: string[] = [];

function print(what: string, value: string, isMet: boolean | undefined): void {
  if (isMet === false) missed.push(what);
  process.stdout.write(`| ${what} | ${value} | ${isMet === undefined ? '' : isMet ? 'met' : 'MISSED'} |\n`);
}

function environmentOf(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    PATH: process.env['PATH'] ?? '',
  };
}

interface Took {
  readonly p50: number;
  readonly p95: number;
  readonly cpu50: number;
  readonly cpu95: number;
}

interface Asked {
  readonly chunks: number;
  readonly unknownMs: number;
  readonly cold: Took;
  readonly fresh: Took;
  readonly again: Took;
  readonly rssMb: number;
  readonly worst: readonly (readonly [symbol: string, ms: number])[];
}

const worker = await bundleEntry('bench/structure/speed-worker.ts');

function work<T>(...args: readonly string[]): T {
  const told: unknown = JSON.parse(
    execFileSync(process.execPath, [worker.absPath, ...args], { encoding: 'utf8' }),
  );
  // The worker is ours: it prints what the caller expects.
  return told as T;
}

const waymark = (...args: readonly string[]): string[] => [
  process.execPath,
  resolve('dist/main.js'),
  ...args,
];

/** Answers, saves and the size of the index. A tree that is kept is indexed once. */
async function measureSize(chunks: number): Promise<void> {
  const goalMs = ANSWER_GOALS[chunks];
  const [root, home] = [join(kept, `tree-${chunks}`), join(kept, `home-${chunks}`)];
  const env = environmentOf(home);
  if (!existsSync(root)) {
    copySources(repos, root, chunks * BYTES_PER_CHUNK);
    plantSaves(root);
  }
  const { sourceBytes } = work<{ sourceBytes: number }>('index', root, home);
  const asked = work<Asked>('ask', root, home);
  const name = `${asked.chunks} chunks`;
  const told = ({ p50, p95, cpu50, cpu95 }: Took): string =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)} ms (processor ${cpu50.toFixed(1)} / ${cpu95.toFixed(1)})`;
  print(`${name}: find_references, the first 300 names of a process, p50 / p95`, told(asked.cold), undefined);
  print(
    `${name}: then 300 other names, p50 / p95`,
    told(asked.fresh),
    goalMs === undefined ? undefined : asked.fresh.p95 <= goalMs,
  );
  print(`${name}: the same again`, told(asked.again), undefined);
  print(
    `${name}: first call of a process, a name that does not exist, ms`,
    asked.unknownMs.toFixed(0),
    undefined,
  );
  print(`${name}: memory after it, MB`, asked.rssMb.toFixed(0), undefined);
  print(`${name}: slowest`, asked.worst.map(([symbol, ms]) => `${symbol} ${ms}`).join(', '), undefined);
  plantSaves(root);
  const saves = await timeSaves(root, env);
  const median = at(saves, 0.5);
  print(
    `${name}: from a save to the answer that has it, p50 / p95 ms`,
    `${median.toFixed(0)} / ${at(saves, 0.95).toFixed(0)}`,
    median <= GOALS.saveMs,
  );
  const size = folderBytes(join(home, 'cache')) / sourceBytes;
  print(`${name}: index ÷ source`, size.toFixed(2), size <= GOALS.size);
}

interface Run {
  readonly ms: number;
  readonly cpuMs: number;
}

/** In turn, so that what else the machine does falls on both. */
async function measureFacts(): Promise<void> {
  const root = join(temp, 'facts-tree');
  copySources(repos, root, FACTS_BYTES);
  const usual = await bundleEntry('src/languages/syntax/parser-main.ts');
  const bare = await bundleEntry('src/languages/syntax/parser-main.ts', {
    without: [['facts/extract-facts.ts', 'bench/structure/no-facts.ts']],
  });
  const took: Record<'usual' | 'bare', Run[]> = { usual: [], bare: [] };
  try {
    for (let round = 0; round < rounds; round++)
      for (const [kind, parser] of [
        ['bare', bare],
        ['usual', usual],
      ] as const) {
        const home = join(temp, `facts-${kind}-${round}`);
        const before = childrenCpuMs();
        const { ms } = work<{ ms: number }>('index', root, home, parser.absPath);
        took[kind].push({ ms, cpuMs: childrenCpuMs() - before });
        rmSync(home, { recursive: true, force: true });
      }
  } finally {
    usual.remove();
    bare.remove();
  }
  const ratioOf = (part: keyof Run): readonly [text: string, ratio: number] => {
    const [withFacts, without] = [took.usual, took.bare].map((runs) =>
      at(
        runs.map((run) => run[part]),
        0.5,
      ),
    );
    const ratio = (withFacts ?? 0) / (without ?? 1);
    return [`${withFacts?.toFixed(0)} / ${without?.toFixed(0)} ms: ${ratio.toFixed(2)} ×`, ratio];
  };
  const name = `\`index --exact\` of ${(FACTS_BYTES / 1e6).toFixed(0)} MB with facts / without, median of ${rounds}`;
  const [clock, byClock] = ratioOf('ms');
  print(name, clock, byClock <= GOALS.facts);
  print('the same in processor time of all processes', ratioOf('cpuMs')[0], undefined);
}

/** What processes that were started and have ended took of the processor, and those that they started. */
function childrenCpuMs(): number {
  const text = readFileSync('/proc/self/stat', 'latin1');
  // Behind the name, which may hold anything: the 14th and 15th, in hundredths of a second.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function measureMemory(): Promise<void> {
  const root = join(temp, 'memory-tree');
  const { bytes } = copySources(repos, root, MEMORY_BYTES);
  const env = environmentOf(join(temp, 'memory-home'));
  const name = `${(bytes / 1e6).toFixed(0)} MB`;
  const indexed = await measure(waymark('index', '--exact', root), { env, watch: true });
  const asked = await measure(waymark('references', 'savedTarget', '--project', root), {
    env,
    watch: true,
  }).catch(() => undefined);
  const peak = Math.max(indexed.peakRssMb ?? 0, asked?.peakRssMb ?? 0);
  print(
    `${name}: peak memory of all processes of \`index --exact\`, MB (${(indexed.ms / 1000).toFixed(0)} s)`,
    peak.toFixed(0),
    peak <= GOALS.memoryMb,
  );
}

async function measureHostile(): Promise<void> {
  const root = join(temp, 'hostile');
  for (const [path, text] of Object.entries(hostileStructure())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = environmentOf(join(temp, 'hostile-home'));
  const [ms, mb]: [number[], number[]] = [[], []];
  for (const args of [
    ['index', '--exact', root],
    ['references', 'same', '--project', root],
    ['references', 'listed', '--project', root],
    ['deps', 'lists/l0.ts', '--in', '--depth', '20', '--project', root],
    ['impact', 'ring/m0.ts', '--project', root],
    ['outline', '--project', root],
  ]) {
    const run = await measure(waymark(...args), { env, cwd: root, watch: true });
    ms.push(run.ms);
    mb.push(run.peakRssMb ?? 0);
  }
  print(
    'hostile (cycles, 100,000 definitions of one name, 10 MB of imports): index, references twice, deps, impact, outline, ms',
    ms.map((each) => each.toFixed(0)).join(', '),
    ms.every((each) => each <= GOALS.hostileMs),
  );
  print('hostile: peak memory of all processes, MB', Math.max(...mb).toFixed(0), undefined);
}

function at(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;
}

try {
  const load = readFileSync('/proc/loadavg', 'latin1').split(' ')[0];
  process.stdout.write(
    `Node ${process.version}, load at the start ${load}\n| what | measured | goal |\n|---|---|---|\n`,
  );
  for (const chunks of values.chunks.split(',').filter(Boolean)) await measureSize(Number(chunks));
  if (!skipped.has('facts')) await measureFacts();
  if (!skipped.has('memory')) await measureMemory();
  if (!skipped.has('hostile')) await measureHostile();
  if (missed.length > 0) process.exitCode = 1;
} finally {
  worker.remove();
  rmSync(temp, { recursive: true, force: true });
}
