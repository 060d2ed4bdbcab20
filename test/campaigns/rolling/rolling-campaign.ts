/**
 * Two releases on one database: servers of one are replaced by those of the next, back, and forward again, while clients call and files
 * change. A balancer sends a client to any server that is ready, and none to one that is about to end.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openConnection, type Connection } from '../../../bench/http/connection.ts';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { serveBinary, type ServedProcess } from '../http/served-process.ts';

export interface RollingOptions {
  readonly server: PostgresServer;
  /** The programs of both releases: `dist/main.js`. */
  readonly before: string;
  readonly after: string;
  readonly instances: number;
  readonly clients: number;
  /** How long both releases run side by side after each replacement. */
  readonly besideMs: number;
}

export interface RollingOutcome {
  readonly calls: number;
  readonly failures: readonly string[];
  readonly slowestMs: number;
  readonly replaced: number;
  readonly saved: number;
  readonly lost: number;
  readonly doubled: number;
  /** What servers said at their end that was no orderly one. */
  readonly ends: readonly string[];
  /** What a destructive step was answered with while the release before was there. */
  readonly refused: string;
  /** And once it was not. */
  readonly contracted: string;
  /** What a program of the release before says from then on. */
  readonly turnedAway: string;
}

const FILES = 40;
const PAUSE_MS = 20;
const EDIT_EVERY_MS = 150;
const READY_MS = 30_000;
const VERSION = '2026-07-28';
const META = Object.fromEntries(
  Object.entries({
    protocolVersion: VERSION,
    clientCapabilities: {},
    clientInfo: { name: 'rolling', version: '1' },
  }).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
);

export async function runRolling(options: RollingOptions): Promise<RollingOutcome> {
  const { server, before, after, instances, clients, besideMs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'waymark-rolling-'));
  const root = join(folder, 'shop');
  mkdirSync(root);
  for (let at = 0; at < FILES; at += 1) writeSource(root, at, 0);
  const url = await server.newDatabase();
  const start = async (main: string): Promise<ServedProcess> => {
    const served = await serveBinary([root], { WAYMARK_STORAGE: url }, resolve(main));
    try {
      await untilReady(served);
    } catch (thrown) {
      await served.stop();
      throw thrown;
    }
    return served;
  };
  const contract = async (main: string): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: folder, WAYMARK_STORAGE: url };
    const child = spawn(process.execPath, [main, 'admin', 'migrate', '--contract'], { env });
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    return said.join('');
  };
  const ends: string[] = [];
  let running: ServedProcess[] = [];
  const load = createLoad({ clients, serverOf: (turn) => running[turn % running.length] });
  let [replaced, edits, refused] = [0, 0, ''];
  let editing: NodeJS.Timeout | undefined;
  const end = async (old: ServedProcess): Promise<void> => {
    await old.stop();
    if (old.exit() !== 'code 0, signal -') ends.push(`${old.exit()}: ${old.complaints()}`);
  };
  async function replaceAll(by: string): Promise<void> {
    for (let at = 0; at < instances; at += 1) {
      const next = await start(by);
      if (by === after && refused === '') refused = await contract(after);
      const [old, ...others] = running;
      // The balancer sends it no more, while calls are under way in it.
      running = [...others, next];
      if (old !== undefined) await end(old);
      replaced += 1;
      await delay(besideMs);
    }
  }

  try {
    running = await Promise.all(Array.from({ length: instances }, () => start(before)));
    await load.call(running[0], 'index_codebase', {});
    load.start();
    editing = setInterval(() => writeSource(root, (edits += 1) % FILES, edits), EDIT_EVERY_MS);
    for (const release of [after, before, after]) await replaceAll(release);
    await load.stop();
    const contracted = await contract(after);
    const turnedAway = await contract(before);
    await load.call(running[0], 'search_code', { query: 'handleOrder0' });
    const names = await savedNames(url);
    const there = new Set(names);
    return {
      calls: load.calls,
      failures: load.failures,
      slowestMs: load.slowestMs,
      replaced,
      saved: load.saved.length,
      lost: load.saved.filter((name) => !there.has(name)).length,
      doubled: names.length - there.size,
      ends,
      refused,
      contracted,
      turnedAway,
    };
  } finally {
    clearInterval(editing);
    await load.stop();
    for (const one of running) await end(one);
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeSource(root: string, at: number, edit: number): void {
  writeFileSync(
    join(root, `order${at}.ts`),
    `/** Edit ${edit}. */\nexport function handleOrder${at}(id: string) {\n  return id + ${edit};\n}\n`,
  );
}

async function untilReady({ port, complaints }: ServedProcess): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (answer.ok) return;
    if (performance.now() > until)
      throw new Error(`a server is not ready: ${await answer.text()} ${complaints()}`);
    await delay(50);
  }
}

interface Load {
  readonly calls: number;
  readonly failures: string[];
  readonly slowestMs: number;
  /** Names of what was acknowledged. */
  readonly saved: string[];
  call(server: ServedProcess | undefined, tool: string, args: object): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

function createLoad({
  clients,
  serverOf,
}: {
  readonly clients: number;
  readonly serverOf: (turn: number) => ServedProcess | undefined;
}): Load {
  const failures: string[] = [];
  const saved: string[] = [];
  let [calls, slowestMs, isOver] = [0, 0, false];
  let running: Promise<unknown> = Promise.resolve();

  async function work(client: number): Promise<void> {
    const connections = new Map<number, Connection>();
    for (let turn = client; !isOver; turn += 1) {
      const port = serverOf(turn)?.port ?? 0;
      const known = connections.get(port);
      // A server ends connections that it was not asked over for long; another one may have its port since.
      const connection = known === undefined || known.isClosed ? openConnection(port) : known;
      connections.set(port, connection);
      const name = `work ${client} ${turn}`;
      const at = turn % FILES;
      const since = performance.now();
      try {
        if (turn % 3 === 0) await callOver(connection, 'search_code', { query: `handleOrder${at}` });
        else if (turn % 3 === 1) await callOver(connection, 'recall', { query: `what was done at ${at}` });
        else {
          await callOver(connection, 'checkpoint_save', { name, summary: name, content: `Done at ${at}.` });
          saved.push(name);
        }
      } catch (thrown) {
        failures.push(String(thrown));
        connections.delete(port);
      }
      calls += 1;
      slowestMs = Math.max(slowestMs, performance.now() - since);
      await delay(PAUSE_MS);
    }
    for (const connection of connections.values()) connection.close();
  }
  return {
    get calls() {
      return calls;
    },
    get slowestMs() {
      return slowestMs;
    },
    failures,
    saved,
    async call(server, tool, args) {
      const connection = openConnection(server?.port ?? 0);
      await callOver(connection, tool, args);
      connection.close();
    },
    start() {
      running = Promise.all(Array.from({ length: clients }, (_, client) => work(client * FILES)));
    },
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Throws unless it was answered, and not with an error. */
async function callOver(connection: Connection, tool: string, args: object): Promise<void> {
  const params = { name: tool, arguments: args, _meta: META };
  const { status, body } = await connection.post(
    {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': tool,
    },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  );
  const isRight = status === 200 && !/"isError":\s*true|"error":\s*\{/.test(body);
  if (!isRight) throw new Error(`${tool}: ${status} ${body.slice(0, 300)}`);
}

async function savedNames(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT doc FROM entry WHERE kind = 'checkpoint' AND deleted_at IS NULL`,
  );
  await client.end();
  return rows.map(({ doc }) => String(JSON.parse(doc).name));
}
