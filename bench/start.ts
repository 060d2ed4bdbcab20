/**
 * The life of `waymark mcp`: from its start to its first answer, and from whatever ends it to its end, beside bare Node in
 * the same run; the first answer also on every path by which an agent comes to start it. Wall-clock time, and a non-zero exit
 * code where a promise of the contract (R068) is missed at p95.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { openStartPaths, type StartPath } from './start-paths.ts';

const RUNS = Number(process.argv[2] ?? 20);
const BIN = resolve('dist/main.js');
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

const home = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home };

function timeNode(): Promise<number> {
  const start = performance.now();
  return new Promise((done) => {
    spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }).once('exit', () =>
      done(performance.now() - start),
    );
  });
}

interface Started {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly output: Readable;
}

const OWN: StartPath = { label: 'dist', command: process.execPath, args: [BIN, 'mcp'], cwd: home };

function startMcp({ command, args, cwd } = OWN): Started {
  const child = spawn(command, args, { env, cwd });
  return { child, input: child.stdin, output: child.stdout };
}

/** A server whose input is not that of its parent, which closes with the parent: nothing but its death tells of it. */
function startByParent(): Started {
  const code = `require('node:child_process').spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: [3, 1, 2] })`;
  const child = spawn(process.execPath, ['-e', code, BIN], {
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

async function timeFirstAnswer(message: unknown, path = OWN): Promise<number> {
  const start = performance.now();
  const server = startMcp(path);
  await answered(server, message);
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

interface Case {
  readonly label: string;
  readonly atMostMs?: number;
  readonly time: () => Promise<number>;
}

const CASES: readonly Case[] = [
  { label: 'node -e 0', time: timeNode },
  ...openStartPaths(home).map((path) => ({
    label: `${path.label} → initialize`,
    atMostMs: 400,
    time: () => timeFirstAnswer(INITIALIZE, path),
  })),
  { label: 'start → server/discover', atMostMs: 1_000, time: () => timeFirstAnswer(DISCOVER) },
  { label: 'start → initialize', atMostMs: 1_000, time: () => timeFirstAnswer(INITIALIZE) },
  {
    label: 'end of input → end',
    atMostMs: 2_000,
    time: () => timeEnd(startMcp(), ({ input }) => void input.end()),
  },
  {
    label: 'broken pipe → end',
    atMostMs: 2_000,
    time: () =>
      timeEnd(startMcp(), ({ input, output }) => {
        output.destroy();
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`);
      }),
  },
  {
    label: 'death of the parent → end',
    atMostMs: 2_000,
    time: () => timeEnd(startByParent(), ({ child }) => void child.kill('SIGKILL')),
  },
];

const measured = CASES.map((one) => ({ ...one, values: new Array<number>() }));
// Interleaved, so that a busy moment hits all of them alike.
for (let run = 0; run < RUNS; run++) {
  for (const { time, values } of measured) values.push(await time());
}
rmSync(home, { recursive: true, force: true });

const base = percentile(measured[0]?.values ?? [], 0.5);
process.stdout.write(`waymark mcp, ${RUNS} runs each, Node ${process.version}\n`);
process.stdout.write('| case | p50 ms | p95 ms | × bare node | limit at p95 |\n|---|---|---|---|---|\n');
for (const { label, values, atMostMs = Infinity } of measured) {
  const p50 = percentile(values, 0.5);
  const p95 = percentile(values, 0.95);
  const limit = atMostMs === Infinity ? '' : `${atMostMs}${p95 <= atMostMs ? '' : ' MISSED'}`;
  process.stdout.write(
    `| ${label} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${(p50 / base).toFixed(1)} | ${limit} |\n`,
  );
  if (p95 > atMostMs) process.exitCode = 1;
}
