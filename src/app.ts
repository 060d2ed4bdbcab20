/** Wires everything once. Objects with a life are built here, passed in where they are needed, and ended by close(). */
import { openHttp } from './app-http.ts';
import { makeServers, toServerParts, type BaseServerParts } from './app-servers.ts';
import { readEnvironment, type Config, type Environment, type ResolvedConfig } from './config/index.ts';
import { AppError, type Clock, type Logger } from './core/index.ts';
import type { EncoderChoice, HttpLimits } from './embedding/index.ts';
import {
  createEngine,
  createRemoteProjects,
  createServices,
  openEngineThread,
  type Engine,
} from './engine/index.ts';
import type { Listener } from './http/index.ts';
import type { Indexing } from './indexing/index.ts';
import type { ServerFactory } from './mcp/index.ts';
import type { Memory } from './memory/index.ts';
import type { ExactParserParts } from './languages/index.ts';
import { openLogSink, systemClock, systemIds, workingDirectory } from './platform/index.ts';
import { createDetector, type Detector, type KnownProjects } from './project/index.ts';
import type { Search } from './search/index.ts';
import type { CatalogStore } from './storage/index.ts';
import { createLogger, once } from './text/index.ts';

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  readonly indexing: Indexing;
  readonly search: Search;
  /** The same services behind the port that tools work with. */
  readonly engine: Engine;
  readonly memory: Memory;
  readonly encoder: EncoderChoice;
  readonly clock: Clock;
  /** Projects seen before. */
  readonly known: KnownProjects;
  /** Where they are kept. Opened on first use: no file is touched before it is needed. */
  catalog(): Promise<CatalogStore>;
  /** The maker of MCP servers. Loaded on first use: commands that serve nobody do not pay for it. */
  servers(): Promise<ServerFactory>;
  /** Starts the HTTP server; it ends with its own close(), or with the app's. */
  listen(): Promise<Listener>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  /** The settings as they hold inside one project; the same for all by default. */
  readonly forProject?: (root: string) => Config;
  /** The project of clients that name none, an absolute path: the user's word, like --project-from-cwd. */
  readonly project?: string | undefined;
  /** Read on every detection; the process's own environment by default. */
  readonly environment?: () => Environment;
  /** Another maker of MCP servers than Waymark's own, for programs that embed the listener. */
  readonly servers?: (parts: BaseServerParts) => Promise<ServerFactory>;
  /** Runs the engine of servers in a thread of its own, from this configuration; in this thread if left out. */
  readonly engineThread?: ResolvedConfig;
  /** Other parser children than the usual ones, to see what comes of their faults. */
  readonly parser?: ExactParserParts;
  /** Other limits for a service that makes vectors than the usual ones. */
  readonly encoder?: { readonly limits: Partial<HttpLimits> };
}

/**
 * Builds Waymark from a resolved configuration.
 *
 * @example
 * const app = createApp({ config: resolveConfig({ env: {} }).config });
 * const found = await app.detector.detect({ transport: 'cli' });
 * const answer = await app.search.run({ roots: ['/home/me/web-shop'], query: 'how are sessions expired' });
 * await app.close();
 */
export function createApp(options: AppOptions): App {
  const { config, environment = readEnvironment, forProject = () => config, servers: given } = options;
  const sink = openLogSink(config.logFile);
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    clock: systemClock,
    write: (line) => sink.write(line),
  });
  let isListening = false;
  let servers: Promise<ServerFactory> | undefined;
  const reach = (): 'http' | 'cli' => (isListening ? 'http' : 'cli');
  const detector = createDetector({
    environment,
    projectFromCwd: config.projectFromCwd,
    givenAtStart: options.project,
    allowProjectRoot: config.allowProjectRoot,
    findByName: (name) => known().byName(name),
    logger,
  });
  let isBuilt = false;
  // A server whose engine has a thread of its own builds none of these here.
  const services = once(() => {
    isBuilt = true;
    const mayFollow = (): boolean => servers !== undefined;
    return createServices({ ...options, forProject, environment, reach, mayFollow, detector, logger });
  });
  const engine = once((): Engine => {
    const { engineThread: resolved } = options;
    if (resolved === undefined || workingDirectory() === undefined) return createEngine(services());
    return openEngineThread({ resolved, environment: environment(), reach: reach() }, logger);
  });
  const known = once((): KnownProjects =>
    options.engineThread === undefined ? services().known : createRemoteProjects(engine),
  );
  const listeners = new Set<Listener>();

  const toolServices: BaseServerParts['services'] = {
    // Chosen by the first call: Node starts no thread in a working directory that is gone by then.
    get engine() {
      return engine();
    },
    newWord: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  };
  const parts = () => toServerParts({ config, detector, known: known(), logger, services: toolServices });

  const app: App = {
    config,
    logger,
    detector,
    get indexing() {
      return services().indexing;
    },
    get search() {
      return services().search;
    },
    get memory() {
      return services().memory;
    },
    get engine() {
      return engine();
    },
    get encoder() {
      return services().encoder;
    },
    clock: systemClock,
    get known() {
      return known();
    },
    catalog: () => services().catalog(),
    servers() {
      if (options.project !== undefined || config.projectFromCwd) requireProject(detector, options.project);
      return (servers ??= given?.(parts()) ?? makeServers(parts()));
    },
    async listen() {
      isListening = true;
      const checkStorage = (): Promise<void> => engine().checkStorage({});
      const factory = await app.servers();
      const listener = await openHttp({ config, factory, detector, logger, checkStorage, parts: parts() });
      listeners.add(listener);
      return listener;
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      if (isBuilt) await services().close();
      else if (options.engineThread !== undefined) await engine().close();
      sink.close();
    },
  };
  return app;
}

/** A project that is named at the start must be a directory that can be one. */
function requireProject(detector: Detector, given: string | undefined): void {
  const report = detector.checkCwd();
  if (report.kind === 'found') return;
  const reason = report.kind === 'nothing' ? report.reason : report.message;
  if (given !== undefined)
    throw new AppError('bad_argument', `${reason}.`, {
      hint: 'Name the directory of your project: waymark serve /path/to/project',
    });
  throw new AppError('bad_config', `--project-from-cwd cannot be used here: ${reason}.`, {
    hint: 'Change to the directory of your project first, or leave the flag out.',
  });
}
