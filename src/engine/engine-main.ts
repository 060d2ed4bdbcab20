/** The engine's side of the wire: builds an engine from what the front tells, runs what is asked, and says how it went. Built as `dist/engine.js`; outside of a thread it only exports the host. */
import {
  readProjectConfig,
  tenantConfig,
  type Config,
  type Environment,
  type ResolvedConfig,
} from '../config/index.ts';
import { once } from '../core/index.ts';
import { openLogSink, systemClock, openThreadPort } from '../platform/index.ts';
import { createDetector } from '../project/index.ts';
import { createLogger } from '../text/index.ts';
import { createSharedParts } from './choose-storage.ts';
import { createEngine, createServices, type EngineServices } from './local-engine.ts';
import { createTenantEngines } from './tenant-engines.ts';
import { toFailure, type FromEngine, type ToEngine } from './messages.ts';
import type { Engine } from './port.ts';

export interface EnginePort {
  onMessage(listener: (message: ToEngine) => void): void;
  send(message: FromEngine): void;
}

/** Resolves when the front has asked for the end and everything is closed. */
export function serveEngine(engine: Engine, port: EnginePort): Promise<void> {
  const running = new Map<number, AbortController>();

  const run = async (call: Extract<ToEngine, { kind: 'call' }>): Promise<void> => {
    const { id, method, request, client, tenant } = call;
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      // The front calls by the same interface: the request is the one that this method takes.
      const answer = engine.forTenant(tenant)[method] as (request: unknown, call: object) => Promise<unknown>;
      const value = await answer(request, {
        signal: cancel.signal,
        client,
        onProgress: (progress: never) => port.send({ kind: 'progress', id, progress }),
      });
      port.send({ kind: 'answer', id, value });
    } catch (thrown) {
      port.send({ kind: 'failure', id, failure: toFailure(thrown) });
    } finally {
      running.delete(id);
    }
  };

  return new Promise((resolve, reject) => {
    port.onMessage((message) => {
      switch (message.kind) {
        case 'call':
          void run(message);
          return;
        case 'cancel':
          running.get(message.id)?.abort();
          return;
        case 'close':
          engine.close().then(() => {
            port.send({ kind: 'closed' });
            resolve();
          }, reject);
      }
    });
  });
}

/** What the front tells the thread when it starts it. */
export interface EngineThreadData {
  readonly resolved: ResolvedConfig;
  readonly environment: Environment;
  readonly reach: 'http' | 'cli';
}

export function hostEngine(
  { resolved, environment, reach }: EngineThreadData,
  port: EnginePort,
): Promise<void> {
  const { config } = resolved;
  const sink = openLogSink(config.logFile);
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    clock: systemClock,
    write: (line) => sink.write(line),
  });
  const shared = createSharedParts(config, logger);
  const open = (own: Config, tenant?: string): EngineServices =>
    createServices({
      config: own,
      tenant,
      shared,
      forProject: (root) => readProjectConfig({ ...resolved, config: own }, root).config,
      environment: () => environment,
      reach: () => reach,
      mayFollow: () => true,
      // Which project a call is about is the front's to find out; here it only limits what is read.
      detector: createDetector({
        environment: () => environment,
        projectFromCwd: false,
        allowProjectRoot: own.allowProjectRoot,
        findByName: async () => [],
        logger,
      }),
      logger,
    });
  const services = open(config);
  const tenants = once(() => createTenantEngines((tenant) => open(tenantConfig(config, tenant), tenant)));
  void services.warmUp().catch(() => {});
  const engine = createEngine(services, (tenant) => tenants().of(tenant));
  return serveEngine(
    {
      ...engine,
      async close() {
        await tenants().close();
        await engine.close();
        await shared.storage.close();
      },
    },
    port,
  );
}

const port = openThreadPort();
if (port.data !== null)
  // Both sides are of one build.
  await hostEngine(port.data as EngineThreadData, {
    // As above.
    onMessage: (listener) => port.onMessage((message) => listener(message as ToEngine)),
    send: (message: FromEngine) => port.send(message),
  });
