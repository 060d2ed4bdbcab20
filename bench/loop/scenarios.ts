/** What one client does while another one is measured. */
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadDriver } from '../../src/storage/sqlite/driver.ts';
import type { OpenClient } from '../../test/support/clients.ts';
import { send } from '../../test/support/raw-http.ts';
import { runBinary, type Home, type ServedProcess } from '../../test/support/waymark.ts';
import {
  deepTree,
  hostileIndex,
  longRefs,
  makeCopiedRepository,
  makeHostileRepository,
  makeSources,
} from './trees.ts';

/** Where a scenario takes place. */
export interface Stage {
  readonly home: Home;
  readonly server: ServedProcess;
  readonly client: OpenClient;
}

export interface Place {
  /** An empty folder for projects. */
  readonly folder: string;
  readonly home: Home;
  /** Real repositories to take sources from. */
  readonly repos: string | undefined;
}

export interface Scenario {
  readonly label: string;
  /** Makes its files, before the server starts. */
  readonly prepare: (place: Place) => void | Promise<void>;
  /** Brings the server to where the scenario begins; not measured. */
  readonly warm?: (stage: Stage, place: Place) => Promise<unknown>;
  readonly run: (stage: Stage, place: Place) => Promise<string>;
}

const LOCKED_MS = 6_000;
const EXPRESSIONS = 100;
const COPIED_FILES = 15_000;
const IDLE_MS = 5_000;
const POLL_MS = 1_000;
const LEAST_MS = 4_000;

export const SCENARIOS: readonly Scenario[] = [
  {
    label: 'idle',
    prepare() {},
    async run() {
      await delay(IDLE_MS);
      return 'nothing';
    },
  },
  {
    label: '(a) lock held for 6 s',
    prepare: ({ folder }) => void makeSources(join(folder, 'a'), 0.01, undefined),
    warm: ({ client }, { folder }) => save(client, join(folder, 'a')),
    async run({ client, home }, { folder }) {
      const memory = home.folder.join('share', 'waymark', 'memory');
      const [file = ''] = readdirSync(memory).filter(
        (name) => /^[^.]+\.db$/.test(name) && name !== 'links.db',
      );
      // This process is another one than the server.
      const holder = (await loadDriver()).connect(join(memory, file), { readOnly: false, timeout: 0 });
      holder.exec('BEGIN IMMEDIATE');
      const saved = save(client, join(folder, 'a'));
      await delay(LOCKED_MS);
      holder.exec('ROLLBACK');
      holder.close();
      return `save ${await saved}`;
    },
  },
  {
    label: '(b) 100 expressions, 38 MB',
    prepare: ({ folder, repos }) => void makeSources(join(folder, 'b'), 38, repos),
    warm: ({ client }, { folder }) => index(client, join(folder, 'b')),
    run: ({ server }, { folder }) => sendExpressions(server.port, join(folder, 'b')),
  },
  {
    label: '(c) checkpoint, 15,000 copied files',
    prepare: ({ folder }) => makeCopiedRepository(join(folder, 'c'), COPIED_FILES),
    run: ({ client }, { folder }) => again(async () => `save ${await save(client, join(folder, 'c'))}`),
  },
  {
    label: '(d) 61 MB indexed with exact pass',
    prepare: ({ folder, repos }) => void makeSources(join(folder, 'd'), 61, repos),
    async run({ client, server }, { folder }) {
      await index(client, join(folder, 'd'));
      // Projects that are searched are followed, and those are parsed.
      await client.call('search_code', { project: join(folder, 'd'), query: 'how is the session expired' });
      await server.saw(/files were parsed exactly.*[\\/]d\b/);
      return 'indexed and parsed';
    },
  },
  {
    label: '(e) first search of 65,000 chunks',
    async prepare({ folder, home, repos }) {
      makeSources(join(folder, 'e'), 61, repos);
      const { code, stderr } = await runBinary(['index', join(folder, 'e')], {
        home,
        program: resolve('dist/main.js'),
        onEnd: () => {},
      });
      if (code !== 0) throw new Error(`waymark index ended with ${code}: ${stderr}`);
      // What the last process kept for this one would spare it the work.
      const cache = home.folder.join('cache', 'waymark');
      for (const name of readdirSync(cache, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('-view')) rmSync(join(cache, name));
    },
    async run({ client }, { folder }) {
      const { isError, text } = await client.call('search_code', {
        project: join(folder, 'e'),
        query: 'how is the session expired',
      });
      return isError ? text : 'answered';
    },
  },
  hostile('(f) hostile .git/index', 'f1', hostileIndex),
  hostile('(f) TREE 2.2 million deep', 'f2', deepTree),
  hostile('(f) packed-refs of 31 MB', 'f3', longRefs),
];

function hostile(label: string, name: string, make: (gitDir: string) => void): Scenario {
  return {
    label,
    prepare: ({ folder }) => makeHostileRepository(join(folder, name), make),
    run: ({ client }, { folder }) =>
      again(async () => {
        const project = join(folder, name);
        const saved = await save(client, project);
        const { isError } = await client.call('search_code', { project, query: 'total changed:yes' });
        return `save ${saved}, search ${isError ? 'refused' : 'answered'}`;
      }),
  };
}

/** For some seconds: what takes a moment would leave too few answers to speak of a 99th percentile. */
async function again(work: () => Promise<string>): Promise<string> {
  const until = performance.now() + LEAST_MS;
  let [count, outcome] = [0, ''];
  for (; performance.now() < until; count++) outcome = await work();
  return `${count} times, ${outcome}`;
}

async function save(client: OpenClient, project: string): Promise<string> {
  const { isError, text } = await client.call('checkpoint_save', { project, content: 'Where I stand.' });
  return isError ? `refused: ${text}` : 'done';
}

async function index(client: OpenClient, project: string): Promise<void> {
  for (;;) {
    const { structured, isError, text } = await client.call('index_codebase', { project });
    if (isError) throw new Error(text);
    if (structured['state'] !== 'running') return;
    await delay(POLL_MS);
  }
}

const BATCH_VERSION = '2025-03-26';

/** In one batch, which is part of this version of the protocol alone. */
async function sendExpressions(port: number, project: string): Promise<string> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const hello = await send(port, {
    method: 'POST',
    path: '/mcp',
    headers,
    body: {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: BATCH_VERSION,
        capabilities: {},
        clientInfo: { name: 'batch', version: '1' },
      },
    },
  });
  const session = String(hello.headers['mcp-session-id']);
  const inSession = { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': BATCH_VERSION };
  await send(port, {
    method: 'POST',
    path: '/mcp',
    headers: inSession,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  });
  const reply = await send(port, {
    method: 'POST',
    path: '/mcp',
    headers: inSession,
    body: Array.from({ length: EXPRESSIONS }, (_, at) => ({
      jsonrpc: '2.0',
      id: at + 1,
      method: 'tools/call',
      params: { name: 'search_code', arguments: { project, query: `/${expression(at)}/` } },
    })),
  });
  const refused = reply.text.match(/too_busy/g)?.length ?? 0;
  const errors = reply.text.match(/"isError":true/g)?.length ?? 0;
  return `${reply.status}: ${EXPRESSIONS - errors} answered, ${refused} too busy, ${errors - refused} other`;
}

/** Some that are quick, some that V8 takes long over, none of which names a text that trigrams could look up. */
function expression(at: number): string {
  const kinds = [
    String.raw`[a-z]+x\.[a-z]+x\(\w+, ${'ab'[at % 2]}\w*\)`,
    String.raw`(\w+\s?)+${at};$`,
    String.raw`^\s*(?:const|let) \w{${3 + (at % 9)},} = .*\(.*,.*\)`,
    String.raw`(.*)(.*)(.*)[${at % 10}]z`,
  ];
  return kinds[at % kinds.length] ?? '';
}
