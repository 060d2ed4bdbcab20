/** Throws mutated requests at a server and holds every answer against what no request may bring about. */
import { setTimeout as wait } from 'node:timers/promises';
import type { WireAnswer } from './answer-reader.ts';
import { makeMutant, type Mutant } from './mutants.ts';
import { plantedCrash } from './planted.ts';
import { openPool, openSession, post } from './pool.ts';
import type { ServedProcess } from './served-process.ts';
import { createWireClient, type Shot } from './wire-client.ts';

export interface FuzzOptions {
  readonly server: ServedProcess;
  readonly seed: number;
  readonly requests: number;
  /** The first index; `--only` starts at one index and makes one request. */
  readonly from?: number;
  readonly clients?: number;
  /** Plants a crash among the requests, this many times; only for the campaign's own server. */
  readonly crashes?: number;
}

export interface Finding {
  readonly index: number;
  readonly what: string;
  readonly mutant: Mutant;
  readonly answers: readonly WireAnswer[];
}

export interface FuzzReport {
  /** How many came before the first measurement; they are judged like all others. */
  readonly warmUp: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
  readonly slowestMs: number;
  /** Between two collections: without them it measures how long the collector felt like waiting. */
  readonly rssGrowthMb: number;
  /** As it was, garbage and all, before anybody asked for a collection. */
  readonly rawGrowthMb: number;
  readonly seconds: number;
  /** How many planted crashes answered 500 with a reference, as they should. */
  readonly crashesSeen: number;
}

const PATIENCE_MS = 5_000;
const CLIENTS = 32;
const REFRESH_EVERY = 1_000;
const MOST_FINDINGS = 20;
/** Until the code is compiled and the heap has its size. */
const WARM_UP = 10_000;
/** Long enough for connections to end once nothing comes in. */
const QUIET_MS = 1_000;

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { server, seed, requests, from = 0, clients = CLIENTS, crashes = 0 } = options;
  const start = performance.now();
  const pool = await openPool({ port: server.port, sessions: 8, streams: 4 });
  const statuses = new Map<number, number>();
  const findings: Finding[] = [];
  const warmUp = Math.min(WARM_UP, Math.floor(requests / 2));
  let next = from;
  let slowestMs = 0;

  const work = async (until: number): Promise<void> => {
    const client = createWireClient({ port: server.port, patienceMs: PATIENCE_MS });
    while (next < until && findings.length < MOST_FINDINGS && server.exit() === undefined) {
      const index = next++;
      if (index % REFRESH_EVERY === REFRESH_EVERY - 1) await pool.refresh();
      const mutant = makeMutant(seed, index, { port: server.port, ...pool });
      const shot = await client.shoot(mutant);
      slowestMs = Math.max(slowestMs, shot.ms);
      for (const { status } of shot.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const what = findFault(shot, mutant) ?? (server.exit() === undefined ? undefined : 'the server died');
      if (what !== undefined) findings.push({ index, what, mutant, answers: shot.answers });
    }
    client.close();
  };
  /** Other work may have had the processor: what hung among others is sent once more, alone. */
  const tryHangsAgain = async (): Promise<void> => {
    const client = createWireClient({ port: server.port, patienceMs: PATIENCE_MS });
    for (const finding of findings.filter(({ what }) => what.startsWith('hang '))) {
      const mutant = makeMutant(seed, finding.index, { port: server.port, ...pool });
      const shot = await client.shoot(mutant);
      const what = findFault(shot, mutant);
      findings.splice(findings.indexOf(finding), 1);
      if (what !== undefined) findings.push({ index: finding.index, what, mutant, answers: shot.answers });
    }
    client.close();
  };
  const runUntil = async (until: number): Promise<void> => {
    await Promise.all(Array.from({ length: clients }, () => work(until)));
  };

  await runUntil(from + warmUp);
  await tryHangsAgain();
  const before = await rest(server);
  const planting = plantCrashes(server.port, crashes);
  await runUntil(from + warmUp + requests);
  await tryHangsAgain();
  const crashesSeen = await planting;
  pool.close();
  const after = await rest(server);
  return {
    warmUp,
    requests: next - from - warmUp,
    statuses,
    findings,
    slowestMs,
    rssGrowthMb: after.rssMb - before.rssMb,
    rawGrowthMb: after.rawMb - before.rawMb,
    seconds: (performance.now() - start) / 1000,
    crashesSeen,
  };
}

async function rest(server: ServedProcess): Promise<{ readonly rssMb: number; readonly rawMb: number }> {
  await wait(QUIET_MS);
  const rawMb = server.rssMb();
  await server.collect();
  return { rssMb: server.rssMb(), rawMb };
}

function findFault(shot: Shot, { verbs }: Mutant): string | undefined {
  const failed = shot.answers.find(({ status }) => status >= 500);
  if (failed !== undefined) return `status ${failed.status}: ${failed.body.slice(0, 200)}`;
  if (shot.kind !== 'answered' && shot.kind !== 'left')
    return `${shot.kind} after ${Math.round(shot.ms)} ms ${shot.reason ?? ''}`;
  const odd = shot.answers.find((answer, at) => answer.status >= 400 && !isRpcError(answer, verbs[at]));
  if (odd !== undefined)
    return `status ${odd.status} with a body that is no JSON-RPC: ${odd.body.slice(0, 80)}`;
  return undefined;
}

/** An answer to HEAD has no body; everything else that is refused says so in JSON-RPC. */
function isRpcError({ body }: WireAnswer, verb: string | undefined): boolean {
  if (verb === 'HEAD') return body === '';
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null && 'jsonrpc' in parsed && 'error' in parsed;
  } catch {
    return false;
  }
}

async function plantCrashes(port: number, crashes: number): Promise<number> {
  const url = `http://127.0.0.1:${port}/mcp`;
  const sessionId = await openSession(url);
  let seen = 0;
  for (let turn = 0; turn < crashes; turn += 1) {
    const { message, headers } = plantedCrash(turn % 2 === 0 ? 'legacy' : 'modern');
    const session = turn % 2 === 0 ? { 'mcp-session-id': sessionId } : {};
    const { status, text } = await post(url, message, { ...headers, ...session });
    if (status === 500 && text.includes('reference planted') && !text.includes('.ts')) seen += 1;
  }
  return seen;
}
