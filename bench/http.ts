/** What one tool call over HTTP costs the server, in CPU time, beside the bare SDK in the same run. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundleEntry } from '../test/support/bundle-entry.ts';
import { openDriver, type Era } from './http/load.ts';
import { readPage } from './http/page-reader.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const WARM_UP = 4_000;
const CALLS = 4_000;
const CONNECTIONS = 16;

interface Case {
  readonly label: string;
  readonly server: string;
  readonly era: Era;
  /** At most this many times the cheapest of these others. */
  readonly goal?: { readonly ratio: number; readonly than: readonly string[] };
}

const CASES: readonly Case[] = [
  { label: 'node:http, JSON echo', server: 'floor', era: 'modern' },
  { label: 'SDK modern', server: 'sdk-modern', era: 'modern' },
  { label: 'Waymark modern', server: 'waymark', era: 'modern', goal: { ratio: 0.6, than: ['SDK modern'] } },
  {
    label: 'Waymark modern, the page open',
    server: 'waymark-page',
    era: 'modern',
    goal: { ratio: 1.05, than: ['Waymark modern'] },
  },
  { label: 'SDK stateful, SSE', server: 'sdk-stateful-sse', era: 'legacy' },
  { label: 'SDK stateful, JSON', server: 'sdk-stateful-json', era: 'legacy' },
  {
    label: 'Waymark legacy session',
    server: 'waymark',
    era: 'legacy',
    goal: { ratio: 1.25, than: ['SDK stateful, SSE', 'SDK stateful, JSON'] },
  },
];

/** Microseconds of the server's CPU per call. A fresh process each time, so that runs do not share a warm heap. */
async function measure(program: string, { server, era }: Case): Promise<number> {
  // WAYMARK_BENCH_FLAGS=--cpu-prof leaves a profile of every server in this folder.
  const child = fork(program, [server], { execArgv: process.env['WAYMARK_BENCH_FLAGS']?.split(' ') ?? [] });
  const hear = async (): Promise<unknown> => {
    const [said] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${server} ended with ${code}`))),
    ]);
    return said;
  };
  const cpu = async (): Promise<number> => {
    child.send('cpu');
    return Number(await hear());
  };
  let leave: (() => void) | undefined;
  try {
    const port = Number(await hear());
    const driver = await openDriver({ port, era, connections: CONNECTIONS });
    if (server === 'waymark-page') {
      child.send('page');
      leave = await readPage(String(await hear()));
    }
    await driver.run(WARM_UP);
    const before = await cpu();
    await driver.run(CALLS);
    const after = await cpu();
    driver.close();
    return (after - before) / CALLS;
  } finally {
    leave?.();
    if (child.connected) child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const program = await bundleEntry('bench/http/server.ts');
const figures = new Map(CASES.map(({ label }): [string, number[]] => [label, []]));
try {
  // Interleaved, so that a busy moment hits all of them alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of CASES) figures.get(one.label)?.push(await measure(program.absPath, one));
  }
} finally {
  program.remove();
}

const medianOf = (label: string): number => median(figures.get(label) ?? []);
process.stdout.write(
  `server CPU per tools/call, ${ROUNDS} interleaved runs of ${CALLS} calls on ${CONNECTIONS} connections, Node ${process.version}\n` +
    '| case | µs, median | min–max | × baseline | goal | |\n|---|---|---|---|---|---|\n',
);
for (const { label, goal } of CASES) {
  const values = figures.get(label) ?? [];
  const range = `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
  const ratio = goal === undefined ? undefined : medianOf(label) / Math.min(...goal.than.map(medianOf));
  const met = goal !== undefined && ratio !== undefined && ratio <= goal.ratio;
  const verdict =
    goal === undefined ? '| | |' : `${ratio?.toFixed(2)} | ≤ ${goal.ratio} | ${met ? 'ok' : 'MISSED'} |`;
  process.stdout.write(`| ${label} | ${medianOf(label).toFixed(0)} | ${range} | ${verdict}\n`);
  if (goal !== undefined && !met) process.exitCode = 1;
}
