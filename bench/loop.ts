/**
 * What one client's work does to another's `ping` and `/healthz`: a real `waymark serve`, one client that causes trouble, and one in a
 * process of its own that is measured meanwhile. Exit code 1 where a goal of R180 is missed.
 * `bench:loop [--only a,d] [--repos DIR]`; without repositories all sources are generated.
 *
 * Memory is VmHWM of the server's process (/proc/PID/status): the most it ever held, its threads included, parser children not.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { openClient } from '../test/support/clients.ts';
import { collectEnds, tempFolder } from '../test/support/temp-folder.ts';
import { emptyHome, serveBinary } from '../test/support/waymark.ts';
import type { Probes, ToOther } from './loop/other-client.ts';
import { SCENARIOS, type Scenario } from './loop/scenarios.ts';

const GOALS = { p99: 25, max: 100, rssMb: 600 } as const;

const { values: options } = parseArgs({ options: { only: { type: 'string' }, repos: { type: 'string' } } });
const only = options.only?.split(',');

interface Row extends Probes {
  readonly label: string;
  readonly outcome: string;
  readonly workMs: number;
  readonly rssMb: number | undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function ask(child: ChildProcess, message: ToOther): Promise<unknown> {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
}

/** Undefined where the system does not tell it. */
function peakMb(pid: number | undefined): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kb = /VmHWM:\s*(\d+) kB/.exec(readFileSync(path, 'utf8'))?.[1];
  return kb === undefined ? undefined : Number(kb) / 1024;
}

async function measure(scenario: Scenario, program: string): Promise<Row> {
  const { onEnd, end } = collectEnds();
  try {
    const home = emptyHome(onEnd);
    const place = { folder: tempFolder({}, onEnd).path, home, repos: options.repos };
    const shop = tempFolder(
      { 'order.ts': 'export const totalOfOrder = 1;\n', '.git/HEAD': 'ref: refs/heads/main\n' },
      onEnd,
    );
    await scenario.prepare(place);
    const server = await serveBinary(['--log-level', 'info'], {
      home,
      program: resolve('dist/main.js'),
      onEnd,
    });
    const client = await openClient({ kind: 'HTTP, version 1', url: server.url, onEnd });
    const stage = { home, server, client };
    await client.call('search_code', { project: shop.path, query: 'total of an order' });
    await scenario.warm?.(stage, place);
    const other = fork(program, { stdio: 'inherit' });
    onEnd(() => void other.kill());
    await ask(other, { kind: 'connect', url: server.url, searchIn: shop.path });
    await ask(other, { kind: 'begin' });
    const started = performance.now();
    const outcome = await scenario.run(stage, place);
    const workMs = performance.now() - started;
    // The other side is bundled from the same sources.
    const probes = (await ask(other, { kind: 'end' })) as Probes;
    return { label: scenario.label, outcome, workMs, rssMb: peakMb(server.child.pid), ...probes };
  } finally {
    await end();
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function misses({ ping, healthz, rssMb = 0, failures }: Row): readonly string[] {
  return [
    ...[ping, healthz].flatMap((values) => [
      ...(quantile(values, 0.99) > GOALS.p99 ? ['p99'] : []),
      ...(Math.max(...values) > GOALS.max ? ['max'] : []),
    ]),
    ...(rssMb > GOALS.rssMb ? ['memory'] : []),
    ...(failures.length > 0 ? [`${failures.length} failed (${failures[0]})`] : []),
  ];
}

function timesOf(values: readonly number[]): string {
  const [p50, p99] = [quantile(values, 0.5), quantile(values, 0.99)];
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${Math.max(...values).toFixed(1)}`;
}

function render(row: Row, idle: Row | undefined): string {
  const missed = misses(row);
  const ratio = idle === undefined ? '' : (quantile(row.ping, 0.99) / quantile(idle.ping, 0.99)).toFixed(1);
  return `| ${[
    row.label,
    row.ping.length,
    timesOf(row.ping),
    timesOf(row.healthz),
    ratio,
    `${timesOf(row.search)} (${row.search.length})`,
    row.rssMb === undefined ? 'unknown' : row.rssMb.toFixed(0),
    (row.workMs / 1000).toFixed(1),
    row.outcome,
    missed.length === 0 ? 'ok' : `MISSED ${[...new Set(missed)].join(', ')}`,
  ].join(' | ')} |`;
}

const program = await bundleEntry('bench/loop/other-client.ts');
const rows: Row[] = [];
try {
  print(`goals: ping and /healthz p99 ≤ ${GOALS.p99} ms, max ≤ ${GOALS.max} ms; memory < ${GOALS.rssMb} MB`);
  print(
    'times in ms: p50 / p99 / max; ratio: p99 of ping to that of the idle server; search: of the other client, for information\n',
  );
  print('| while | count | ping | /healthz | ratio | search (count) | peak MB | work s | outcome | |');
  print('|---|---|---|---|---|---|---|---|---|---|');
  for (const scenario of SCENARIOS) {
    const letter = /\((\w)\)/.exec(scenario.label)?.[1];
    if (letter !== undefined && only?.includes(letter) === false) continue;
    const row = await measure(scenario, program.absPath);
    rows.push(row);
    print(render(row, rows[0]));
  }
} finally {
  program.remove();
}
const [idle] = rows;
if (idle !== undefined && misses(idle).length > 0)
  print(
    '\nThe idle server misses the goals as well: this machine is too busy to judge the rest; see the ratios.',
  );
if (rows.some((row) => misses(row).length > 0)) process.exitCode = 1;
