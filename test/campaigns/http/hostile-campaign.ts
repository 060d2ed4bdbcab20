/** One large request of every unkind sort: how much memory it takes and how long it keeps everybody else waiting. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LoopDelay, Memory } from './campaign-server.ts';
import { ENVELOPE, modern, modernHeaders, MODERN_VERSION, rpc } from './messages.ts';
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
  readonly body: () => string;
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
  try {
    return await measure(server, sort);
  } finally {
    await server.stop();
  }
}

async function measure(server: ServedProcess, { kind, body, headers }: Sort): Promise<HostileReport> {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const sessionId = await openSession(url);
  // What every request needs is compiled and in memory before the one that counts.
  for (let turn = 0; turn < 50; turn += 1) {
    const message = rpc(turn, 'tools/list');
    await post(url, message, { 'mcp-session-id': sessionId });
    await post(url, modern(message), modernHeaders(message));
  }
  const text = body();
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
