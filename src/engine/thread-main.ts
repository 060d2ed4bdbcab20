/** The module of the engine's thread: built as `dist/engine.js`. */
import { readProjectConfig, type Environment, type ResolvedConfig } from '../config/index.ts';
import { openLogSink, openThreadPort, systemClock } from '../platform/index.ts';
import { createDetector } from '../project/index.ts';
import { createLogger } from '../text/index.ts';
import { createEngine } from './in-process.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { serveEngine } from './serve-engine.ts';
import { createServices } from './services.ts';

/** What the front tells the thread when it starts it. */
export interface EngineThreadData {
  readonly resolved: ResolvedConfig;
  readonly environment: Environment;
  readonly reach: 'http' | 'cli';
}

const port = openThreadPort();
// Both sides are of one build.
const { resolved, environment, reach } = port.data as EngineThreadData;
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
await serveEngine(engine, {
  // As above.
  onMessage: (listener) => port.onMessage((message) => listener(message as ToEngine)),
  send: (message: FromEngine) => port.send(message),
});
