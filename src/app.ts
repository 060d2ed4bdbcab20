/** Wires everything once. Objects with a life are built here, passed in where they are needed, and ended by close(). */
import { readEnvironment, type Config, type Environment } from './config/index.ts';
import type { Logger } from './core/index.ts';
import type { ServerFactory } from './mcp/index.ts';
import { openLogSink, systemClock } from './platform/index.ts';
import { createDetector, type Detector } from './project/index.ts';
import { openCatalogStore, type CatalogStore } from './storage/index.ts';
import { createLogger } from './text/index.ts';

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  /** Known projects. Opened on first use: no file is touched before it is needed. */
  catalog(): Promise<CatalogStore>;
  /** The maker of MCP servers. Loaded on first use: commands that serve nobody do not pay for it. */
  servers(): Promise<ServerFactory>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  /** Read on every detection; the process's own environment by default. */
  readonly environment?: () => Environment;
}

/**
 * Builds Waymark from a resolved configuration.
 *
 * @example
 * const app = createApp({ config: resolveConfig({ flags: {}, env: {} }).config });
 * const found = app.detector.detect({ transport: 'cli' });
 * await app.close();
 */
export function createApp({ config, environment = readEnvironment }: AppOptions): App {
  const sink = openLogSink(config.logFile);
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    clock: systemClock,
    write: (line) => sink.write(line),
  });
  const detector = createDetector({ environment, projectFromCwd: config.projectFromCwd });
  let catalog: Promise<CatalogStore> | undefined;
  let servers: Promise<ServerFactory> | undefined;

  return {
    config,
    logger,
    detector,
    catalog: () => (catalog ??= openCatalogStore({ dataDir: config.dataDir, clock: systemClock, logger })),
    servers: () => (servers ??= makeServers({ detector, logger })),
    async close() {
      // A store that failed to open has nothing to close, and its opener has heard of the failure.
      await catalog?.then(
        (store) => store.close(),
        () => {},
      );
      sink.close();
    },
  };
}

async function makeServers(parts: {
  readonly detector: Detector;
  readonly logger: Logger;
}): Promise<ServerFactory> {
  const [{ createServerFactory }, { TOOLS }] = await Promise.all([
    import('./mcp/index.ts'),
    import('./tools/index.ts'),
  ]);
  return createServerFactory({ ...parts, version: WAYMARK_VERSION, tools: TOOLS });
}
