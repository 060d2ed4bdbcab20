/**
 * Whether both engines give the same answers, digest by digest, and what each takes: questions about generated code, asked of one
 * and the other in turn in one process, with a server of PostgreSQL of its own. `[CHUNKS...] [--questions N]`
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp, type App } from '../src/app.ts';
import { resolveConfig } from '../src/config/index.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { indexWhole } from './relevance/product.ts';
import { generateTree } from './search/generated-tree.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { questions: { type: 'string', default: '500' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [20_000];
const questions = Number(options.questions);
const COLD_STARTS = 5;
const WARMING_CHUNKS = 2_000;
/** As often as SQLite takes, in the same run. */
const GOALS = { query: 1.2, index: 2 };
const folder = mkdtempSync(join(tmpdir(), 'waymark-engines-'));
const server = await startPostgres();
const ENGINES = ['sqlite', 'postgres'] as const;
type Engine = (typeof ENGINES)[number];
let isMissed = false;

function open(engine: Engine): App {
  const { config } = resolveConfig({
    env: {
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      WAYMARK_LOG_LEVEL: 'error',
      ...(engine === 'postgres' && { WAYMARK_STORAGE: server.url }),
    },
  });
  return createApp({ config, environment: () => ({}) });
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function compare(chunks: number): Promise<void> {
  const root = join(folder, `tree-${chunks}`);
  const tree = generateTree(root, chunks);
  const apps = { sqlite: open('sqlite'), postgres: open('postgres') };
  const indexMs = { sqlite: 0, postgres: 0 };
  for (const engine of ENGINES) {
    indexMs[engine] = (await indexWhole(apps[engine], root)).ms;
    await apps[engine].search.keep(root, 'whole');
  }
  const took: Record<Engine, number[]> = { sqlite: [], postgres: [] };
  let different = 0;
  // Code that was run once is compiled, and both are loaded.
  for (let number = 0; number < 50; number++)
    for (const engine of ENGINES)
      await apps[engine].search.run({ roots: [root], query: tree.question(10_000 + number) });
  for (let number = 0; number < questions; number++) {
    const digests = new Set<string>();
    for (const engine of number % 2 === 0 ? ENGINES : ENGINES.toReversed()) {
      const started = performance.now();
      const answer = await apps[engine].search.run({ roots: [root], query: tree.question(number) });
      took[engine].push(performance.now() - started);
      const { ms: _, ...rest } = answer;
      digests.add(createHash('sha256').update(JSON.stringify(rest)).digest('hex'));
    }
    if (digests.size > 1) different += 1;
  }
  const cold = { sqlite: await coldStarts('sqlite', root), postgres: await coldStarts('postgres', root) };
  for (const engine of ENGINES) await apps[engine].close();
  print(`| ${chunks} chunks | index s | query p50 ms | p95 ms | cold first answer ms, p50 | most |`);
  print('|---|---|---|---|---|---|');
  for (const engine of ENGINES) {
    const times = [indexMs[engine] / 1_000, percentile(took[engine], 0.5), percentile(took[engine], 0.95)];
    const coldTimes = [percentile(cold[engine], 0.5), Math.max(...cold[engine])];
    print(
      `| ${engine} | ${[...times.map((ms) => ms.toFixed(2)), ...coldTimes.map((ms) => ms.toFixed(0))].join(' | ')} |`,
    );
  }
  const ratio = percentile(took.postgres, 0.5) / percentile(took.sqlite, 0.5);
  const indexRatio = indexMs.postgres / indexMs.sqlite;
  print(
    `${questions - different} of ${questions} answers are the same; p50 ${ratio.toFixed(2)} times (≤ ${GOALS.query}), ` +
      `index ${indexRatio.toFixed(2)} times (≤ ${GOALS.index})\n`,
  );
  isMissed ||= different > 0 || ratio > GOALS.query || indexRatio > GOALS.index;
}

/** Of another instance, which finds the view that was kept. */
async function coldStarts(engine: Engine, root: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let start = 0; start < COLD_STARTS; start++) {
    const app = open(engine);
    const started = performance.now();
    await app.search.run({ roots: [root], query: 'the first question pays for loading' });
    times.push(performance.now() - started);
    await app.close();
  }
  return times;
}

/** The first one that indexes pays for compiling the code, and for making the tables. */
async function warmUp(): Promise<void> {
  const root = join(folder, 'warm');
  generateTree(root, WARMING_CHUNKS);
  for (const engine of ENGINES) {
    const app = open(engine);
    await indexWhole(app, root);
    await app.close();
  }
}

try {
  await warmUp();
  for (const chunks of sizes) await compare(chunks);
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isMissed ? 1 : 0);
