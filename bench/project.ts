/** What finding the project adds to a call that needs one, against the same call with the project named outright. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { bundleEntry } from '../test/support/bundle-entry.ts';

const CALLS = Number(process.argv[2] ?? 1500);
const GOAL_MS = 0.3;
const home = mkdtempSync(join(tmpdir(), 'waymark-bench-'));
const root = join(home, 'work', 'deep', 'project');
mkdirSync(join(root, '.git'), { recursive: true });
writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');

// Waymark's own program with a tool that does nothing but need a project.
const program = await bundleEntry('test/support/fixture-program.ts');

async function connect(env: Readonly<Record<string, string>>, cwd: string, roots = false): Promise<Client> {
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name: 'bench', version: '1' }, { capabilities });
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(root).href }] }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program.absPath, 'mcp', '--no-tip'],
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
    }),
  );
  return client;
}

async function timeCall(client: Client, args: Record<string, unknown>): Promise<number> {
  const start = performance.now();
  await client.callTool({ name: 'fixture_read', arguments: args });
  return performance.now() - start;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const byEnv = await connect({ WAYMARK_PROJECT: root }, home);
const byCwd = await connect({}, join(root, '.git'));
const byRoots = await connect({}, home, true);
const named = await connect({}, home);
const cases: { label: string; client: Client; args: Record<string, unknown>; took: number[] }[] = [
  { label: 'project argument (baseline)', client: named, args: { project: root }, took: [] },
  { label: 'found by roots, told before', client: byRoots, args: {}, took: [] },
  { label: 'found by environment', client: byEnv, args: {}, took: [] },
  { label: 'found by working directory', client: byCwd, args: {}, took: [] },
];
for (const { client, args } of cases) for (let warm = 0; warm < 200; warm++) await timeCall(client, args);
// Interleaved, so that a busy moment hits all of them alike.
for (let call = 0; call < CALLS; call++)
  for (const { client, args, took } of cases) took.push(await timeCall(client, args));
await Promise.all([byRoots, byEnv, byCwd, named].map((client) => client.close()));
program.remove();
rmSync(home, { recursive: true, force: true });

const base = percentile(cases[0]?.took ?? [], 0.5);
process.stdout.write(
  `a call that needs a project over stdio, ${CALLS} calls each, Node ${process.version}\n`,
);
process.stdout.write('| case | p50 ms | p95 ms | added at p50 | × baseline |\n|---|---|---|---|---|\n');
let missed = false;
for (const { label, took } of cases) {
  const p50 = percentile(took, 0.5);
  missed ||= p50 - base > GOAL_MS;
  process.stdout.write(
    `| ${label} | ${p50.toFixed(3)} | ${percentile(took, 0.95).toFixed(3)} | ${(p50 - base).toFixed(3)} | ${(p50 / base).toFixed(2)} |\n`,
  );
}
process.stdout.write(`goal: at most ${GOAL_MS} ms added at p50: ${missed ? 'missed' : 'met'}\n`);
process.exit(missed ? 1 : 0);
