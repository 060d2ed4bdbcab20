/**
 * The life of `waymark mcp` as it is installed: packed by this Node, installed into a temporary folder, started by each supported Node.
 * From its start to its first answer, also on every path by which an agent comes to start it, and from whatever ends it to its end,
 * beside bare Node in the same run. Wall-clock time; a non-zero exit code where a promise is missed: R068 at p95, the later
 * starts at p50. `bench:start [RUNS]`
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { openStartPaths, type StartPath } from './start-paths.ts';
import { findNodes, installPackage, type NodeProgram } from './start/installed.ts';

const RUNS = Number(process.argv[2] ?? 20);
const DISCOVER = {
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    },
  },
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** At most, at p50, for the first answer of a start that is not the first. Node 20 has no compile cache. */
const START_MS = new Map([
  [20, 250],
  [22, 200],
  [24, 200],
]);

const home = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home };
const bin = installPackage(home);

function timeNode(node: string): Promise<number> {
  const start = performance.now();
  return new Promise((done) => {
    spawn(node, ['-e', '0'], { env, stdio: 'ignore' }).once('exit', () => done(performance.now() - start));
  });
}

interface Started {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly output: Readable;
}

const OWN: StartPath = { label: 'installed', command: process.execPath, args: [bin, 'mcp'], cwd: home };

function startMcp({ command, args, cwd } = OWN): Started {
  const child = spawn(command, args, { env, cwd });
  return { child, input: child.stdin, output: child.stdout };
}

/** A server whose input is not that of its parent, which closes with the parent: nothing but its death tells of it. */
function startByParent(): Started {
  const code = `require('node:child_process').spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: [3, 1, 2] })`;
  const child = spawn(process.execPath, ['-e', code, bin], {
    env,
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const input = child.stdio[3];
  if (!(input instanceof Writable) || child.stdout === null) throw new Error('no pipes');
  return { child, input, output: child.stdout };
}

function answered({ child, input, output }: Started, message: unknown): Promise<void> {
  input.on('error', () => {}).write(`${JSON.stringify(message)}\n`);
  return new Promise((done, fail) => {
    output.once('data', () => done());
    child.once('exit', () => fail(new Error('no answer')));
  });
}

/** Its output closes when the last process that holds it is gone. */
function closed({ child }: Started): Promise<void> {
  return new Promise((done) => child.once('close', () => done()));
}

/** From the start to the last of these answers, each asked for when the one before is there. */
async function timeAnswers(messages: readonly unknown[], path = OWN): Promise<number> {
  const start = performance.now();
  const server = startMcp(path);
  for (const message of messages) await answered(server, message);
  const took = performance.now() - start;
  const gone = closed(server);
  server.input.end();
  await gone;
  return took;
}

/** From the goodbye to the end, of a server that has answered once. */
async function timeEnd(server: Started, leave: (server: Started) => void): Promise<number> {
  await answered(server, INITIALIZE);
  const gone = closed(server);
  const start = performance.now();
  leave(server);
  await gone;
  return performance.now() - start;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

interface Limit {
  readonly share: number;
  readonly ms: number;
}

interface Case {
  readonly label: string;
  readonly limit?: Limit;
  readonly time: () => Promise<number>;
}

const late = (ms: number): Limit => ({ share: 0.95, ms });

/** As after a first index, without anything that a start has left. */
function newCacheDir(): string {
  return mkdtempSync(join(home, 'cache-'));
}

function startsOf({ absPath, version, major }: NodeProgram): readonly Case[] {
  const ms = START_MS.get(major);
  const path = { ...OWN, command: absPath };
  return [
    { label: `${version}: node -e 0`, time: () => timeNode(absPath) },
    {
      label: `${version}: start → initialize, first`,
      limit: late(1_000),
      time: () => timeAnswers([INITIALIZE], { ...path, args: [...path.args, '--cache-dir', newCacheDir()] }),
    },
    {
      label: `${version}: start → initialize, later`,
      ...(ms === undefined ? {} : { limit: { share: 0.5, ms } }),
      time: () => timeAnswers([INITIALIZE], path),
    },
    {
      label: `${version}: start → initialize → tools/list, later`,
      time: () => timeAnswers([INITIALIZE, LIST_TOOLS], path),
    },
  ];
}

const LIFE: readonly Case[] = [
  ...openStartPaths(home).map((path) => ({
    label: `${path.label} → initialize`,
    limit: late(400),
    time: () => timeAnswers([INITIALIZE], path),
  })),
  { label: 'start → server/discover', limit: late(1_000), time: () => timeAnswers([DISCOVER]) },
  {
    label: 'end of input → end',
    limit: late(2_000),
    time: () => timeEnd(startMcp(), ({ input }) => void input.end()),
  },
  {
    label: 'broken pipe → end',
    limit: late(2_000),
    time: () =>
      timeEnd(startMcp(), ({ input, output }) => {
        output.destroy();
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`);
      }),
  },
  {
    label: 'death of the parent → end',
    limit: late(2_000),
    time: () => timeEnd(startByParent(), ({ child }) => void child.kill('SIGKILL')),
  },
];

const nodes = findNodes([...START_MS.keys()]);
// A machine on which Waymark has indexed once; then what a first start leaves for the later ones.
mkdirSync(join(home, '.cache', 'waymark'), { recursive: true, mode: 0o700 });
for (const { absPath } of nodes) await timeAnswers([INITIALIZE], { ...OWN, command: absPath });
const measured = [...nodes.flatMap(startsOf), ...LIFE].map((one) => ({
  ...one,
  values: new Array<number>(),
}));
// Interleaved, so that a busy moment hits all of them alike.
for (let run = 0; run < RUNS; run++) {
  for (const { time, values } of measured) values.push(await time());
}
rmSync(home, { recursive: true, force: true });

process.stdout.write(`waymark mcp, installed, ${RUNS} runs each, packed by Node ${process.version}\n`);
process.stdout.write('| case | p50 ms | p95 ms | limit |\n|---|---|---|---|\n');
for (const { label, values, limit } of measured) {
  const p50 = percentile(values, 0.5);
  const p95 = percentile(values, 0.95);
  const isMissed = limit !== undefined && percentile(values, limit.share) > limit.ms;
  const said = limit === undefined ? '' : `${limit.ms} at p${limit.share * 100}${isMissed ? ' MISSED' : ''}`;
  process.stdout.write(`| ${label} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${said} |\n`);
  if (isMissed) process.exitCode = 1;
}
