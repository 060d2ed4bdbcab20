/** One large request of every hostile kind: how much memory it takes and how long other clients wait. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoopDelay, Memory } from './campaign-server.ts';
import { ENVELOPE, modern, modernHeaders, MODERN_VERSION, rpc, type Message } from './messages.ts';
import { openSession, post } from './pool.ts';
import type { ServedProcess } from './served-process.ts';

export interface HostileReport {
  readonly kind: string;
  readonly status: number;
  /** The most of all rounds. */
  readonly rssGrowthMb: number;
  /** How long the loop was held up, as the clock on the wall saw it: the median of all rounds. */
  readonly blockedMs: number;
  /** The same for a loop that has nothing to do, in the same process just before: what other programs make of it. */
  readonly idleMs: number;
}

const SIZE = 3_800_000;
const SAMPLE_MS = 4;
const IDLE_MS = 200;
export const MOST_BLOCKED_MS = 200;
export const MOST_GROWTH_MB = 100;

interface Sort {
  readonly kind: string;
  readonly body: (project: string) => string;
  /** It asks one of our tools about a project, which is indexed before. */
  readonly onProject?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

function call(args: string, meta = ''): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"swallow","arguments":${args}${meta}}}`;
}

function fill(piece: string, separator: string): string {
  const count = Math.floor(SIZE / (piece.length + separator.length));
  return Array.from({ length: count }, () => piece).join(separator);
}

function keys(count: number, width: number): string {
  return Array.from({ length: count }, (_, at) => `"${String(at).padStart(width, 'k')}":1`).join(',');
}

/** A call of a tool that is shipped. */
function ask(name: string, args: Message): Sort['body'] {
  return (project) => JSON.stringify(rpc(1, 'tools/call', { name, arguments: { project, ...args } }));
}

function many(count: number, item: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

const SAVED = 260_000;

const AIMED: readonly (readonly [string, string, Message])[] = [
  ['9,000 globs', 'search_code', { query: 'alpha', path: many(9_000, (at) => `${'**/*'.repeat(90)}${at}`) }],
  ['50 globs', 'search_code', { query: 'alpha', path: many(50, (at) => `${'*a'.repeat(240)}${at}`) }],
  ['50 globs of braces', 'search_code', { query: 'alpha', path: many(50, (at) => `{a,b}{c,d}{e,f}*${at}`) }],
  [
    '9,000 symbols',
    'search_code',
    { query: 'alpha', symbol: many(9_000, (at) => `${'x'.repeat(380)}${at}`) },
  ],
  ['50 symbols', 'search_code', { query: 'alpha', symbol: many(50, (at) => `a${at}.`.repeat(100)) }],
  ['one long symbol', 'search_code', { query: 'alpha', symbol: ['a.'.repeat(SIZE / 2)] }],
  ['9,000 projects', 'search_code', { query: 'alpha', projects: many(9_000, () => '/') }],
  ['10,000 characters of words', 'search_code', { query: many(1_200, (at) => `word${at}`).join(' ') }],
  ['a long place', 'search_code', { query: 'alpha', similar_to: 'a/'.repeat(SIZE / 2) }],
  ['names and values', 'checkpoint_save', { content: fillTo(SAVED, 'token = "a1B2c3D4e5F6g7H8 ') }],
  ['starts of keys', 'checkpoint_save', { content: fillTo(SAVED, '-----BEGIN PRIVATE KEY-----') }],
  ['a long stack', 'remediation_search', { error: 'x', stack: fillTo(SIZE, 'at f (a.js:1:1)\n') }],
];
const SHIPPED: readonly Sort[] = AIMED.map(([kind, tool, args]) => ({
  kind: `${tool}: ${kind}`,
  body: ask(tool, args),
  onProject: true,
}));

function fillTo(chars: number, piece: string): string {
  return piece.repeat(Math.floor(chars / piece.length));
}

const META = `,"_meta":${JSON.stringify(ENVELOPE)}`;
const MODERN = {
  'mcp-protocol-version': MODERN_VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'swallow',
};

const SORTS: readonly Sort[] = [
  { kind: 'list of 950,000 strings', body: () => call(`{"items":[${fill('"a"', ',')}]}`) },
  { kind: 'the same, modern', headers: MODERN, body: () => call(`{"items":[${fill('"a"', ',')}]}`, META) },
  {
    kind: 'list of 9,900 strings',
    body: () => call(`{"items":[${Array.from({ length: 9_900 }, () => `"${'a'.repeat(380)}"`).join(',')}]}`),
  },
  {
    kind: 'the same, modern, wrong type',
    headers: MODERN,
    body: () => call(`{"items":[${Array.from({ length: 9_900 }, () => '1'.repeat(380)).join(',')}]}`, META),
  },
  { kind: 'nested 1,900,000 deep', body: () => call('['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)) },
  { kind: 'unclosed, 3,800,000 deep', body: () => '['.repeat(SIZE) },
  { kind: 'one string', body: () => call(`{"rest":"${'x'.repeat(SIZE)}"}`) },
  { kind: 'one string of escapes', body: () => call(`{"rest":"${fill('\\"', '')}"}`) },
  { kind: 'one string of surrogates', body: () => call(`{"rest":"${fill('\\ud83d\\ude00', '')}"}`) },
  { kind: 'nothing but quotes', body: () => '"'.repeat(SIZE) },
  { kind: 'one number', body: () => call(`{"rest":${'9'.repeat(SIZE)}}`) },
  { kind: '380,000 keys', body: () => call(`{"rest":{${keys(380_000, 6)}}}`) },
  { kind: '9,900 long keys', body: () => call(`{"rest":{${keys(9_900, 380)}}}`) },
  { kind: '9,900 arguments', body: () => call(`{${keys(9_900, 380)}}`) },
  { kind: '9,900 arguments, modern', headers: MODERN, body: () => call(`{${keys(9_900, 380)}}`, META) },
  { kind: 'batch of 90,000', body: () => `[${fill('{"jsonrpc":"2.0","id":1,"method":"ping"}', ',')}]` },
  {
    kind: 'batch of 2,400',
    body: () =>
      `[${Array.from({ length: 2_400 }, (_, at) => `{"jsonrpc":"2.0","id":"${String(at).padStart(1500, '0')}","method":"ping"}`).join(',')}]`,
  },
  {
    kind: 'long method name',
    body: () => `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(SIZE)}"}`,
  },
  {
    kind: 'long tool name',
    body: () => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'n'.repeat(SIZE)}"}}`,
  },
  { kind: 'blanks', body: () => ' '.repeat(SIZE) },
  {
    kind: 'long address of a resource',
    body: () =>
      JSON.stringify(rpc(1, 'resources/read', { uri: `waymark://project/${'a/'.repeat(SIZE / 2)}` })),
  },
  ...SHIPPED,
];

export const HOSTILE_KINDS: readonly string[] = SORTS.map(({ kind }) => kind);

export interface HostileOptions {
  readonly start: () => Promise<ServedProcess>;
  /** How often each sort is sent. */
  readonly rounds: number;
  readonly kinds?: readonly string[];
}

/** Every sort meets a server of its own: one that has swallowed another before has the memory for the next one already. */
export async function runHostile({
  start,
  rounds,
  kinds = HOSTILE_KINDS,
}: HostileOptions): Promise<readonly HostileReport[]> {
  const reports: HostileReport[] = [];
  for (const sort of SORTS.filter(({ kind }) => kinds.includes(kind))) {
    const seen: HostileReport[] = [];
    for (let round = 0; round < rounds; round += 1) seen.push(await measureAlone(start, sort));
    reports.push(summarize(seen));
  }
  return reports;
}

function summarize(rounds: readonly HostileReport[]): HostileReport {
  const [first] = rounds;
  if (first === undefined) throw new Error('nothing was measured');
  return {
    ...first,
    status: Math.max(...rounds.map(({ status }) => status)),
    rssGrowthMb: Math.max(...rounds.map(({ rssGrowthMb }) => rssGrowthMb)),
    blockedMs: median(rounds.map(({ blockedMs }) => blockedMs)),
    idleMs: median(rounds.map(({ idleMs }) => idleMs)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function measureAlone(start: () => Promise<ServedProcess>, sort: Sort): Promise<HostileReport> {
  const server = await start();
  const project = makeProject();
  try {
    return await measure(server, sort, project);
  } finally {
    await server.stop();
    rmSync(project, { recursive: true });
  }
}

/** Some files, with long paths. */
function makeProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'waymark-hostile-'));
  mkdirSync(join(root, '.git'));
  for (let at = 0; at < 400; at += 1) {
    const folder = join(root, 'aaaaaaaa/'.repeat(6), `d${at % 20}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${'a'.repeat(60)}${at}.ts`),
      `export function alpha${at}() { return ${at}; }\n`,
    );
  }
  return root;
}

async function measure(
  server: ServedProcess,
  { kind, body, headers, onProject }: Sort,
  project: string,
): Promise<HostileReport> {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const sessionId = await openSession(url);
  // What every request needs is compiled and in memory before the one that counts.
  for (let turn = 0; turn < 50; turn += 1) {
    const message = rpc(turn, 'tools/list');
    await post(url, message, { 'mcp-session-id': sessionId });
    await post(url, modern(message), modernHeaders(message));
  }
  if (onProject === true) {
    const first: readonly Sort['body'][] = [
      ask('index_codebase', {}),
      ask('search_code', { query: 'alpha' }),
      ask('checkpoint_save', { content: 'alpha' }),
      ask('remediation_search', { error: 'alpha' }),
    ];
    for (const one of first) await post(url, JSON.parse(one(project)), { 'mcp-session-id': sessionId });
  }
  const text = body(project);
  await server.ask<Memory>('memory');
  await server.ask<LoopDelay>('watch the loop');
  await wait(IDLE_MS);
  const idle = await server.ask<LoopDelay>('loop delay');
  await server.ask<LoopDelay>('watch the loop');
  const before = server.rssMb();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, server.rssMb())), SAMPLE_MS);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(headers ?? { 'mcp-session-id': sessionId }),
    },
    body: text,
  });
  await response.arrayBuffer();
  await wait(50);
  clearInterval(sampler);
  const blocked = await server.ask<LoopDelay>('loop delay');
  return {
    kind,
    status: response.status,
    rssGrowthMb: peak - before,
    blockedMs: blocked.longestMs,
    idleMs: idle.longestMs,
  };
}
