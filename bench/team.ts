/**
 * A team on one database: clients on two instances search, save and recall in one project, each with a pause after an answer.
 * `[--clients 200] [--seconds 20] [--pause 500] [--chunks 5000] [--entries 2000]`
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres-server.ts';
import { openConnection, type Connection } from './http/connection.ts';
import { processorMs, renderProcessor } from './processor-time.ts';
import { generateTree } from './search/generated-tree.ts';

const { values: given } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    pause: { type: 'string', default: '500' },
    chunks: { type: 'string', default: '5000' },
    entries: { type: 'string', default: '2000' },
  },
});
const options = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]));
const { clients = 0, seconds = 0, pause = 0, chunks = 0, entries = 0 } = options;
const INSTANCES = 2;
const SEEDING = 20;
const PREPARING_MS = 300_000;
/** Of each ten calls. Limits are those of p95, in milliseconds. */
const MIX = [
  { what: 'search', calls: 5, limit: 400 },
  { what: 'recall', calls: 3, limit: 500 },
  { what: 'save', calls: 2, limit: 500 },
] as const;
type What = (typeof MIX)[number]['what'];
const TURNS = MIX.flatMap(({ what, calls }) => Array.from({ length: calls }, () => what));

const VERSION = '2026-07-28';
const key = (name: string): string => `io.modelcontextprotocol/${name}`;
const META = {
  [key('protocolVersion')]: VERSION,
  [key('clientCapabilities')]: {},
  [key('clientInfo')]: { name: 'bench', version: '1' },
};

/** Milliseconds; throws where the call failed. */
async function call(connection: Connection, tool: string, args: object): Promise<number> {
  const params = { name: tool, arguments: args, _meta: META };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const started = performance.now();
  const answer = await connection.post(
    {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': tool,
    },
    body,
  );
  const ms = performance.now() - started;
  const isRight = answer.status === 200 && !/"isError":\s*true|"error":\s*\{/.test(answer.body);
  if (!isRight) throw new Error(`${tool}: ${answer.status} ${answer.body.slice(0, 300)}`);
  return ms;
}

const folder = mkdtempSync(join(tmpdir(), 'waymark-team-'));
const server = await startPostgres();
const started: ChildProcess[] = [];

async function startInstance(root: string, at: number): Promise<number> {
  const home = join(folder, `home-${at}`);
  mkdirSync(home);
  const child = spawn(process.execPath, ['dist/main.js', 'serve', '--port', '0', root], {
    env: { PATH: process.env['PATH'], HOME: home, WAYMARK_STORAGE: server.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  child.stderr.resume();
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /serving http:\/\/[^/]*:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return Number(port);
  }
  throw new Error('an instance did not start');
}

/** All of this, the instances, and the clients. */
function processorTimes(): readonly number[] {
  const instances = started.reduce((sum, { pid }) => sum + (processorMs(pid) ?? Number.NaN), 0);
  const { user, system } = process.cpuUsage();
  return [processorMs() ?? Number.NaN, instances, (user + system) / 1_000];
}

const words = readFileSync('bench/recall/checkpoints.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .flatMap((line) => String(JSON.parse(line).content).split(/\s+/));
/** Words of real checkpoints, mixed; another text for each number. */
function text(number: number, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => words[(number * 31 + at * at * 7_919 + at) % words.length],
  ).join(' ');
}
function save(number: number): object {
  return { name: `work ${number}`, summary: text(number, 12), content: text(number + 7, 60) };
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

try {
  const root = join(folder, 'shop');
  const tree = generateTree(root, chunks);
  const ports = [await startInstance(root, 0), await startInstance(root, 1)];
  // Opened when they are needed: a server ends connections that it is asked nothing over.
  const open = (count: number, mostMs?: number): readonly Connection[] =>
    Array.from({ length: count }, (_, at) => openConnection(ports[at % INSTANCES] ?? 0, mostMs));
  for (const port of ports) {
    const one = openConnection(port, PREPARING_MS);
    await call(one, 'index_codebase', {});
    one.close();
  }
  let saved = 0;
  await Promise.all(
    open(SEEDING, PREPARING_MS).map(async (one) => {
      while (saved < entries) await call(one, 'checkpoint_save', save(saved++));
      one.close();
    }),
  );
  const connections = open(clients);
  const took: Record<What, number[]> = { search: [], recall: [], save: [] };
  const failures: string[] = [];
  let number = 0;
  const ask = (connection: Connection, what: What, at: number): Promise<number> => {
    if (what === 'search') return call(connection, 'search_code', { query: tree.question(at) });
    if (what === 'recall') return call(connection, 'recall', { query: text(at * 13, 6) });
    return call(connection, 'checkpoint_save', save(entries + at));
  };
  const run = async (untilMs: number, isMeasured: boolean): Promise<void> => {
    await Promise.all(
      connections.map(async (connection, client) => {
        await delay((client / clients) * pause);
        for (let turn = client; performance.now() < untilMs; turn += 1) {
          const what = TURNS[turn % TURNS.length] ?? 'search';
          try {
            const ms = await ask(connection, what, (number += 1));
            if (isMeasured) took[what].push(ms);
          } catch (thrown) {
            failures.push(String(thrown));
            return;
          }
          await delay(pause * (0.5 + ((turn * 37) % 100) / 100));
        }
      }),
    );
  };
  await run(performance.now() + 5_000, false);
  const [begun, before] = [performance.now(), processorTimes()];
  await run(begun + seconds * 1_000, true);
  const all = Object.values(took).flat().length;
  const lasted = (performance.now() - begun) / 1_000;
  const worked = processorTimes().map((ms, part) => ms - (before[part] ?? Number.NaN));
  const [together = 0, ...parts] = worked.map((ms) => ms / all);
  process.stdout.write(
    `${clients} clients on ${INSTANCES} instances, ${pause} ms between calls, ${chunks} chunks, ${entries} entries: ` +
      `${(all / lasted).toFixed(0)} calls/s, ${failures.length} failed\n` +
      `${renderProcessor(worked[0] ?? 0, lasted * 1_000)}: ${together.toFixed(1)} ms a call, of which instances ` +
      `${parts.map((ms) => ms.toFixed(1)).join(' and clients ')}, the rest the database\n\n| call | calls | p50 ms | p95 ms | most | goal |\n|---|---|---|---|---|---|\n`,
  );
  let isMissed = failures.length > 0;
  for (const { what, limit } of MIX) {
    const times = took[what];
    const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(times, share));
    isMissed ||= !((p95 ?? Infinity) <= limit);
    process.stdout.write(
      `| ${what} | ${times.length} | ${p50?.toFixed(0)} | ${p95?.toFixed(0)} | ${most?.toFixed(0)} | ≤ ${limit} |\n`,
    );
  }
  for (const failure of failures.slice(0, 3)) process.stdout.write(`${failure}\n`);
  for (const connection of connections) connection.close();
  process.exitCode = isMissed ? 1 : 0;
} finally {
  for (const child of started) child.kill('SIGKILL');
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
