/**
 * `waymark index` is killed at random moments while a project is worked on. After each kill the index must open, be sound and
 * claim no more than it holds; brought up to date, it must be the same as one that is made anew.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';
import { createRandom } from '../../support/random.ts';
import { firstDifference, type IndexDump } from '../../support/dump-index.ts';
import { createChangingTree, type ChangingTree } from './changing-tree.ts';

export interface IndexKillOptions {
  /** The bundled inspector. */
  readonly inspector: string;
  readonly kills: number;
  readonly files: number;
  readonly seed: number;
}

export interface IndexKillReport {
  readonly kills: number;
  /** Kills that left some, but not all, of the run's work committed. */
  readonly halfDone: number;
  /** Runs that were over before their kill came; each was repeated. */
  readonly tooLate: number;
  readonly healed: number;
  readonly findings: readonly string[];
}

/** How often what could not be parsed is tried again. */
const MOST_TRIES = 4;

interface Inspected {
  readonly sound: boolean;
  readonly generation: number;
  readonly dump: IndexDump;
}

export async function runIndexKills(options: IndexKillOptions): Promise<IndexKillReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-index-kills-')));
  try {
    return await killAndHeal(base, options);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function killAndHeal(
  base: string,
  { inspector, kills, files, seed }: IndexKillOptions,
): Promise<IndexKillReport> {
  const root = join(base, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  const tree = createChangingTree(root, files, seed);
  const random = createRandom(seed + 1);
  const home = join(base, 'home');
  const findings: string[] = [];
  const inspect = (cacheHome: string): Promise<Inspected> => inspectIndex(inspector, cacheHome, root);
  let [done, tooLate, halfDone, healed, generation] = [0, 0, 0, 0, 0];
  // How long a run takes is learned from one that is left alone, in a home of its own.
  const usualMs = (await indexRun(join(base, 'first'), root)).ms;
  while (done < kills) {
    tree.change();
    // Sometimes all is to be done again, which gives the longest runs and the most commits.
    if (random.below(2) === 0) {
      rmSync(home, { recursive: true, force: true });
      generation = 0;
    }
    // Half of them at any moment, the start of the process included; half of them close behind a commit.
    const kill: Kill =
      random.below(2) === 0
        ? { progress: 0, delayMs: (random.below(1000) / 1000) * usualMs }
        : { progress: 1 + random.below(Math.ceil(files / 120)), delayMs: random.below(60) };
    const run = await indexRun(home, root, kill);
    if (!run.killed) {
      tooLate += 1;
      continue;
    }
    done += 1;
    const after = await inspect(home).catch((error: unknown) => String(error));
    if (typeof after === 'string') findings.push(`kill ${done}: ${after}`);
    else {
      findings.push(...judge(after, tree).map((finding) => `kill ${done}: ${finding}`));
      if (after.generation > generation) halfDone += 1;
      generation = after.generation;
    }
    // Several kills in a row now and then, as a machine that keeps crashing would have it.
    if (random.below(3) > 0 && done < kills) continue;
    const { difference, reached } = await heal(base, home, root, inspect);
    healed += 1;
    generation = reached;
    if (difference !== undefined) findings.push(`kill ${done}: healed is not fresh: ${difference}`);
  }
  return { kills: done, halfDone, tooLate, healed, findings };
}

/** What stats say must be what is there. */
function judge({ sound, dump }: Inspected, tree: ChangingTree): readonly string[] {
  const findings: string[] = [];
  const claims = readClaims(dump.stats);
  if (!sound) findings.push('the index is not sound');
  const definitions = dump.definitions.flatMap((entry) => listIn(entry, 'definitions')).length;
  if (claims.files !== dump.files.length)
    findings.push(`stats claim ${claims.files} files of ${dump.files.length}`);
  if (claims.definitions !== definitions)
    findings.push(`stats claim ${claims.definitions} definitions of ${definitions}`);
  if (claims.skips !== dump.skips.length)
    findings.push(`stats claim ${claims.skips} skips of ${dump.skips.length}`);
  // Read back from the rows that search loads: a chunk that is counted but cannot be found shows here.
  const findable = dump.found.reduce((sum: number, entry) => sum + numberIn(entry, 'chunks'), 0);
  if (claims.chunks !== findable) findings.push(`stats claim ${claims.chunks} chunks of ${findable}`);
  // Files that were removed or renamed since the last whole run may still be there, and no others.
  if (claims.files > 2 * tree.count())
    findings.push(`stats claim ${claims.files} files, the tree has ${tree.count()}`);
  return findings;
}

function readClaims(stats: unknown): Record<'files' | 'chunks' | 'definitions' | 'skips', number> {
  return {
    files: numberIn(stats, 'files'),
    chunks: numberIn(stats, 'chunks'),
    definitions: numberIn(stats, 'definitions'),
    skips: numberIn(stats, 'skips'),
  };
}

function numberIn(entry: unknown, name: string): number {
  return typeof entry === 'object' && entry !== null ? Number(Reflect.get(entry, name)) : Number.NaN;
}

function listIn(entry: unknown, name: string): readonly unknown[] {
  const list: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : undefined;
  return Array.isArray(list) ? list : [];
}

/** Brings an index up to date and compares it with one that is made anew. */
export async function heal(
  base: string,
  home: string,
  root: string,
  inspect: (home: string) => Promise<Inspected>,
  more: readonly string[] = [],
): Promise<{ readonly difference: string | undefined; readonly reached: number }> {
  const fresh = join(base, 'fresh');
  rmSync(fresh, { recursive: true, force: true });
  const [healed, made] = [
    await bringUpToDate(home, root, inspect, more),
    await bringUpToDate(fresh, root, inspect, more),
  ];
  const difference = healed.sound ? firstDifference(healed.dump, made.dump) : 'it is not sound';
  return { difference, reached: healed.generation };
}

/** A file that was not parsed in time, which a busy machine brings about, is tried again: an outline is no difference to be found. */
async function bringUpToDate(
  home: string,
  root: string,
  inspect: (home: string) => Promise<Inspected>,
  more: readonly string[],
): Promise<Inspected> {
  for (let left = MOST_TRIES; ; left--) {
    const { code, stderr } = await indexRun(home, root, undefined, more);
    if (code !== 0) throw new Error(`A run that was left alone ended with ${code}: ${stderr.slice(-300)}`);
    const inspected = await inspect(home);
    const failed = listIn(inspected.dump.stats, 'parsed').reduce(
      (sum: number, language) => sum + numberIn(language, 'failed'),
      0,
    );
    if (failed === 0 || left === 0) return inspected;
  }
}

interface IndexRun {
  readonly killed: boolean;
  readonly code: number | null;
  readonly stderr: string;
  readonly ms: number;
}

interface Kill {
  /** How often progress must have been told; it is told behind each commit. */
  readonly progress: number;
  readonly delayMs: number;
}

export function homeEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CONFIG_HOME: join(home, 'config'),
  };
}

/** The real binary; killed, if it is said when. */
function indexRun(home: string, root: string, kill?: Kill, more: readonly string[] = []): Promise<IndexRun> {
  const started = performance.now();
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [absolute('dist/main.js'), 'index', ...more, root], {
    cwd: root,
    env: homeEnvironment(home),
  });
  let stderr = '';
  child.stdout.resume();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (kill === undefined || timer !== undefined || stderr.split('\n').length <= kill.progress) return;
    timer = setTimeout(() => child.kill('SIGKILL'), kill.delayMs);
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  look();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ killed: signal === 'SIGKILL', code, stderr, ms: performance.now() - started });
    });
  });
}

/** In a process of its own: a connection that stayed behind here would keep the log's index alive. */
export function inspectIndex(inspector: string, home: string, root: string): Promise<Inspected> {
  const child = spawn(process.execPath, [inspector, join(home, 'cache', 'waymark'), root]);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      // A warning means that something was found damaged and made anew: a kill must never come to that.
      if (code !== 0 || stderr !== '') reject(new Error(`the index did not open: ${stderr.slice(-300)}`));
      // The inspector is ours; what it prints is what its last line builds.
      else resolve(JSON.parse(stdout) as Inspected);
    });
  });
}
