/** A server's figures and its log of writes: told of every call, and of every answer over HTTP. */
import { join } from 'node:path';
import type { Config } from './config/index.ts';
import type { Engine } from './engine/index.ts';
import { openLogSink, ownMemoryMb, systemClock } from './platform/index.ts';
import type { Written } from './operations/index.ts';
import type { CallObserver } from './tools/index.ts';
import type { Edge, Exchange } from './transport/index.ts';

export interface OpenOperations {
  /** Undefined where nothing watches. */
  readonly observe: CallObserver | undefined;
  readonly edges: readonly Edge[];
  /** Told of every answer to a request. */
  readonly onAnswer: ((status: number) => void) | undefined;
  /** Told of writes that are no call of a tool. */
  readonly onWrite: ((write: Written) => void) | undefined;
  /** Told of calls that a token does not allow. */
  readonly onRefused: ((exchange: Exchange) => void) | undefined;
  /** How many sessions there are is known once there is an edge that has them. */
  watchSessions(count: () => number): void;
  close(): void;
}

interface Watched {
  readonly engine: () => Engine;
  /** What else is told of every call. */
  readonly observe: CallObserver | undefined;
}

export async function openOperations(config: Config, { engine, observe }: Watched): Promise<OpenOperations> {
  const { auditFile, dataDir, token, tokenFile, requireToken, oauthIssuer } = config;
  const isGuarded =
    requireToken || [token, tokenFile, oauthIssuer, auditFile].some((given) => given !== undefined);
  const { createAuditLog, createMetrics, createMetricsEdge, observeAll } =
    await import('./operations/index.ts');
  const sink = isGuarded
    ? openLogSink(auditFile ?? join(dataDir, 'audit.jsonl'), { flag: '--audit-file' })
    : undefined;
  const audit = sink && createAuditLog({ clock: systemClock, write: (line) => sink.write(line) });
  let sessions = (): number => 0;
  const metrics = config.metrics
    ? createMetrics({
        version: WAYMARK_VERSION,
        clock: systemClock,
        residentMb: ownMemoryMb,
        sessions: () => sessions(),
        indexes: () => engine().listIndexes({}),
      })
    : undefined;
  const calls = [observe?.call, audit?.observe, metrics?.observe].filter((watcher) => watcher !== undefined);
  return {
    observe:
      calls.length === 0
        ? undefined
        : { call: observeAll(calls), listing: (client) => observe?.listing(client) },
    edges: metrics === undefined ? [] : [createMetricsEdge(metrics)],
    onAnswer: metrics && ((status) => metrics.answered(status)),
    onWrite: audit?.wrote,
    onRefused:
      audit &&
      (({ principal, note }) => audit.refused({ principal, tool: note.tool ?? note.rpcMethod ?? 'unknown' })),
    watchSessions(count) {
      sessions = count;
    },
    close: () => sink?.close(),
  };
}
