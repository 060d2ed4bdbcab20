/** Builds an engine from what the front tells, and serves it until the front asks for its end. */
import { readProjectConfig, type Environment, type ResolvedConfig } from '../config/index.ts';
import { openLogSink, systemClock } from '../platform/index.ts';
import { createDetector } from '../project/index.ts';
import { createLogger } from '../text/index.ts';
import { createEngine } from './in-process.ts';
import { serveEngine, type EnginePort } from './serve-engine.ts';
import { createServices } from './services.ts';

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
  const engine = createEngine(
    createServices({
      config,
      forProject: (root) => readProjectConfig(resolved, root).config,
      environment: () => environment,
      reach: () => reach,
      mayFollow: () => true,
      // Which project a call is about is the front's to find out; here it only limits what is read.
      detector: createDetector({
        environment: () => environment,
        projectFromCwd: false,
        allowProjectRoot: config.allowProjectRoot,
        findByName: async () => [],
        logger,
      }),
      logger,
    }),
  );
  return serveEngine(engine, port);
}
