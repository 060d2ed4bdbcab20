/** Clients that say hello and never goodbye: what they leave behind, and what is left of that after the idle time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Memory } from './campaign-server.ts';
import { openMany, post } from './pool.ts';
import { rpc } from './messages.ts';
import type { ServedProcess } from './served-process.ts';

export interface AbandonedOptions {
  /** Started with this idle time. */
  readonly server: ServedProcess;
  readonly idleMs: number;
  readonly sessions: number;
}

export interface AbandonedReport {
  readonly sessions: number;
  readonly heapGrowthMb: number;
  /** Beyond the baseline, when the idle time is over. */
  readonly heapLeftMb: number;
  /** Status of a request in an abandoned session; 404 is right. */
  readonly statusAfterwards: number;
}

const WARM_UP = 300;

export async function runAbandoned({ server, idleMs, sessions }: AbandonedOptions): Promise<AbandonedReport> {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  await openMany(url, WARM_UP);
  await untilIdle(idleMs);
  const before = await server.ask<Memory>('memory');
  const lastId = await openMany(url, sessions);
  const full = await server.ask<Memory>('memory');
  await untilIdle(idleMs);
  const after = await server.ask<Memory>('memory');
  const { status } = await post(url, rpc(1, 'ping'), { 'mcp-session-id': lastId });
  return {
    sessions,
    heapGrowthMb: full.heapMb - before.heapMb,
    heapLeftMb: after.heapMb - before.heapMb,
    statusAfterwards: status,
  };
}

/** A sweep comes at the latest a quarter of the idle time late. */
function untilIdle(idleMs: number): Promise<void> {
  return wait(idleMs * 1.5 + 500);
}
