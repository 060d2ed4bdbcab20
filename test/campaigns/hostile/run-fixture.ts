/** One hostile repository: made, indexed by the real binary, looked at from all sides, removed. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../src/platform/index.ts';
import { openIndexStore, type IndexStore } from '../../../src/storage/index.ts';
import { silentLogger } from '../../../src/text/index.ts';
import { wordsOf } from '../../support/indexed-words.ts';
import { unaccounted } from './account.ts';
import { createPlace, type Fixture, type Place } from './fixture.ts';
import { runTraced, type TracedRun } from './traced-run.ts';

export interface FixtureOptions {
  readonly traced: boolean;
  /** What an ordinary repository makes the binary open, read outside of everything of ours. */
  readonly usual: ReadonlySet<string>;
}

export interface FixtureReport {
  readonly findings: readonly string[];
  readonly ms: number;
  readonly indexed: number;
  readonly skipped: number;
  /** Paths outside of the repository and of our own folders that were touched. */
  readonly touched: readonly string[];
}

const NOBODY = 65_534;
const LIMIT_MS = 60_000;
const LONG_LIMIT_MS = 600_000;

export async function runFixture(fixture: Fixture, options: FixtureOptions): Promise<FixtureReport> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-hostile-')));
  // One word of the token stream, which lowers cases and cuts some endings.
  const canary = `canary${base.slice(-6).toLowerCase()}q`;
  const place = createPlace(base, canary);
  const home = join(base, 'home');
  mkdirSync(home);
  try {
    await fixture.make(place);
    const uid = fixture.byNobody === true && process.getuid?.() === 0 ? NOBODY : undefined;
    if (uid !== undefined) giveTo(base, uid);
    const limitMs = fixture.isLongOnly === true ? LONG_LIMIT_MS : LIMIT_MS;
    const within = { home, uid, traced: options.traced, limitMs };
    const start = (): Promise<TracedRun> => indexWhile(fixture, place, within);
    const first = await start();
    fixture.change?.(place);
    const run = fixture.change === undefined ? first : await start();
    const shown = fixture.isShown === true ? [await runBinary(['files'], place, within)] : [];
    rmSync(join(home, 'trace'), { force: true });
    const kept = await readIndex(fixture, place, home, run);
    const touched = touchedOutside(run, base);
    const findings = [
      ...[run, ...shown].flatMap((ended) => judgeEnd(fixture, ended)),
      ...judgeTrace(run, touched, fixture, options.usual),
      ...judgeLeaks(place, base, run),
      ...kept.findings,
    ];
    return { findings, ms: Math.round(run.ms), indexed: kept.indexed, skipped: kept.skipped, touched };
  } finally {
    fixture.end?.(place);
    rmSync(base, { recursive: true, force: true });
  }
}

function homeEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
    WAYMARK_LOG_LEVEL: 'debug',
    WAYMARK_LOG_FILE: join(home, 'log'),
  };
}

function giveTo(base: string, uid: number): void {
  chownSync(base, uid, uid);
  for (const path of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
    // A link's target may be anything of this machine.
    if (!path.startsWith('outside')) chownSync(join(base, path), uid, uid);
  }
}

interface Within {
  readonly home: string;
  readonly uid: number | undefined;
  readonly traced: boolean;
  readonly limitMs: number;
}

function runBinary(args: readonly string[], place: Place, within: Within): Promise<TracedRun> {
  const { home, uid, limitMs, traced } = within;
  const traceFile = join(home, 'trace');
  return runTraced(args, { cwd: place.root, env: homeEnvironment(home), traceFile, limitMs, uid }, traced);
}

async function indexWhile(fixture: Fixture, place: Place, within: Within): Promise<TracedRun> {
  const running = runBinary(['index', '--json', place.root], place, within);
  if (fixture.meddle === undefined) return running;
  const state = { ended: false };
  const ended = running.finally(() => (state.ended = true));
  for (let round = 0; !state.ended; round++) {
    fixture.meddle(place, round);
    await setImmediate();
  }
  return ended;
}

function judgeEnd(fixture: Fixture, { timedOut, code, stderr, stdout }: TracedRun): readonly string[] {
  const findings: string[] = [];
  if (timedOut) findings.push('did not end');
  else if (code !== 0 && fixture.mayRefuse !== true)
    findings.push(`ended with ${code}: ${stderr.slice(-300)}`);
  else if (code !== 0 && code !== 1 && code !== 2) findings.push(`ended with ${code}`);
  if (/went wrong inside|\bat \S+ \(|Error: /.test(stderr))
    findings.push(`failed inside: ${stderr.slice(-300)}`);
  if (hasControls(stderr) || hasControls(stdout)) findings.push('sent control characters to the terminal');
  return findings;
}

/** Line breaks and tabs are ours; whatever moves a cursor, or turns text around, is not. */
function hasControls(text: string): boolean {
  return /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** Real paths beyond the repository and our own home. Another repository's rules above the root are none of these. */
function touchedOutside({ trace }: TracedRun, base: string): readonly string[] {
  if (trace === undefined) return [];
  const ours = [`${base}/root`, `${base}/home`];
  return [...trace.opened, ...trace.read].filter(
    (path) =>
      path.startsWith('/') && !ours.some((folder) => path === folder || path.startsWith(`${folder}/`)),
  );
}

/** What Node looks at now and then by itself, whatever it runs, and our own modules that are loaded when there is much to read, or a history. */
const RUNTIME: ReadonlySet<string> = new Set([
  realpathSync(process.execPath),
  realpathSync('dist/file-reader.js'),
  realpathSync('dist/history-reader.js'),
  '/proc/sys/vm/overcommit_memory',
]);

function judgeTrace(
  { trace }: TracedRun,
  touched: readonly string[],
  fixture: Fixture,
  usual: ReadonlySet<string>,
): readonly string[] {
  if (trace === undefined) return [];
  const isRace = fixture.meddle !== undefined;
  const foreign = touched.filter((path) => !usual.has(path) && !RUNTIME.has(path));
  return [
    ...trace.ran.map((line) => `ran a program: ${line}`),
    ...trace.connected.map((line) => `connected: ${line}`),
    // Between two looks a name can come to stand for something else; then it is opened, known for what it is, and not read.
    ...foreign
      .filter((path) => !isRace || (trace.read.has(path) && path.endsWith('.ts')))
      .map((path) => `touched ${path}`),
  ];
}

function judgeLeaks(place: Place, base: string, run: TracedRun): readonly string[] {
  const findings: string[] = [];
  if (existsSync(join(base, 'mark'))) findings.push('ran the planted program');
  if ((run.stdout + run.stderr).includes(place.canary)) findings.push('printed what stands outside');
  for (const path of readdirSync(join(base, 'home'), {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })) {
    if (path.isFile() && readFileSync(join(path.parentPath, path.name)).includes(place.canary)) {
      findings.push(`${path.name} holds what stands outside`);
    }
  }
  return findings;
}

interface Kept {
  readonly findings: readonly string[];
  readonly indexed: number;
  readonly skipped: number;
}

async function readIndex(fixture: Fixture, place: Place, home: string, run: TracedRun): Promise<Kept> {
  if (run.code !== 0) return { findings: [], indexed: 0, skipped: 0 };
  const cacheDir = join(home, 'cache', 'waymark');
  const store = await openIndexStore({
    cacheDir,
    root: place.root,
    clock: systemClock,
    logger: silentLogger,
  });
  try {
    return await judgeIndex(fixture, place, store);
  } finally {
    await store.close();
  }
}

async function judgeIndex(fixture: Fixture, place: Place, store: IndexStore): Promise<Kept> {
  const indexed = new Set((await store.manifest()).map(({ path }) => path));
  const skips = await store.skips();
  const stats = await store.stats();
  const findings: string[] = [];
  if (!(await store.isSound())) findings.push('the index is not sound');
  if (stats.files !== indexed.size)
    findings.push(`stats claim ${stats.files} files, there are ${indexed.size}`);
  if ((await wordsOf(store))(place.canary)) findings.push('what stands outside is found');
  if (fixture.meddle === undefined) findings.push(...unaccounted(place.root, { indexed, skips }));
  for (const [path, wanted] of Object.entries(fixture.comesTo ?? {})) {
    const reason = skips.find((skip) => skip.path === path)?.reason;
    const is = indexed.has(path) ? 'indexed' : (reason ?? 'nowhere');
    if (is !== wanted) findings.push(`${JSON.stringify(path)} is ${is}, not ${wanted}`);
  }
  return { findings, indexed: indexed.size, skipped: skips.length };
}
