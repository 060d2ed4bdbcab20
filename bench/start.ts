/** Cold start: from spawning `waymark mcp` to its first answer, beside bare Node in the same run. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

function timeFirstAnswer(message: unknown): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [BIN, 'mcp'], { env, cwd: home });
  child.stdin.write(`${JSON.stringify(message)}\n`);
  return new Promise((done, fail) => {
    let took: number | undefined;
    child.stdout.once('data', () => {
      took = performance.now() - start;
      child.stdin.end();
    });
    child.once('exit', () => (took === undefined ? fail(new Error('no answer')) : done(took)));
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const bare: number[] = [];
const discover: number[] = [];
const initialize: number[] = [];
// Interleaved, so that a busy moment hits all three alike.
for (let run = 0; run < RUNS; run++) {
  bare.push(await timeNode());
  discover.push(await timeFirstAnswer(DISCOVER));
  initialize.push(await timeFirstAnswer(INITIALIZE));
}
rmSync(home, { recursive: true, force: true });

const base = percentile(bare, 0.5);
process.stdout.write(`cold start, ${RUNS} runs each, Node ${process.version}\n`);
process.stdout.write('| case | p50 ms | p95 ms | × bare node |\n|---|---|---|---|\n');
for (const [label, values] of [
  ['node -e 0', bare],
  ['waymark mcp → server/discover', discover],
  ['waymark mcp → initialize', initialize],
] as const) {
  const p50 = percentile(values, 0.5);
  process.stdout.write(
    `| ${label} | ${p50.toFixed(0)} | ${percentile(values, 0.95).toFixed(0)} | ${(p50 / base).toFixed(1)} |\n`,
  );
}
