/** The first run: from `waymark setup` with three clients and a small repository to the first search, beside bare Node. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const RUNS = Number(process.argv[2] ?? 5);
const GOAL_MS = 10_000;
const BIN = resolve('dist/main.js');
const FILES = {
  'home/.cursor/mcp.json': '{\n  "mcpServers": {}\n}\n',
  'home/.codex/config.toml': 'model = "o4"\n',
  'home/.codeium/windsurf/mcp_config.json': '{}\n',
  'home/shop/.git/HEAD': 'ref: refs/heads/main\n',
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `home/shop/src/part-${index}.ts`,
      `/** Retries upload ${index} with growing pauses. */\nexport function retryUpload${index}(): void {}\n`,
    ]),
  ),
};

function timeFirstRun(): number {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const env = { PATH: '/usr/bin:/bin', HOME: join(folder, 'home') };
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'setup', '--yes'], {
    cwd: join(folder, 'home/shop'),
    env,
    encoding: 'utf8',
  });
  const took = performance.now() - start;
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0 || !/\$ waymark search "[^"]+"\n {4}src\//.test(stderr)) throw new Error(stderr);
  return took;
}

function timeNode(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

const bare: number[] = [];
const first: number[] = [];
for (let run = 0; run < RUNS; run++) {
  bare.push(timeNode());
  first.push(timeFirstRun());
}
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const worst = Math.max(...first);
process.stdout.write(`first run, ${RUNS} runs, Node ${process.version}, 3 clients, 200 files\n`);
process.stdout.write('| case | p50 ms | worst ms | × bare node |\n|---|---|---|---|\n');
process.stdout.write(`| node -e 0 | ${middle(bare).toFixed(0)} | ${Math.max(...bare).toFixed(0)} | 1.0 |\n`);
process.stdout.write(
  `| setup to first search | ${middle(first).toFixed(0)} | ${worst.toFixed(0)} | ${(middle(first) / middle(bare)).toFixed(1)} |\n`,
);
process.exitCode = worst < GOAL_MS ? 0 : 1;
