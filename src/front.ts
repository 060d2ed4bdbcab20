/** The front: project detection, protocol edges and the listener, around an engine. Loads none of the engine's rooms. */
import { openHttp, type ServedHttp } from './front-http.ts';
import { openOperations, type OpenOperations } from './front-operations.ts';
import { makeServers, toServerParts, type BaseServerParts } from './front-servers.ts';
import {
  readEnvironment,
  tenantConfig,
  type Config,
  type Environment,
  type ResolvedConfig,
} from './config/index.ts';
import { AppError, type Clock, type Logger, once } from './core/index.ts';
import { createRemoteProjects, openEngineThread, type Engine } from './engine/index.ts';
import type { CallLog, ListingClient, MadeCall } from './dashboard/index.ts';
import type { Listener } from './http/index.ts';
import type { ServerFactory, StdioConnection, StdioOptions } from './mcp/index.ts';
import { listServers, openLogSink, systemClock, systemIds } from './platform/index.ts';
import { createDetector, type Detector, type KnownProjects } from './project/index.ts';
import { createLogger, redactSecrets } from './text/index.ts';
import { createCrashReporter } from './transport/index.ts';

export interface Front {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  /** Stores, indexing, search and memory behind the port that tools work with. */
  readonly engine: Engine;
  readonly clock: Clock;
  /** Projects seen before. */
  readonly known: KnownProjects;
  /** The maker of MCP servers. Loaded on first use. */
  servers(): Promise<ServerFactory>;
  /** Serves one client over standard input and output, by another maker of servers if one is given. */
  openStdio(options: FrontStdioOptions): Promise<StdioConnection>;
  /** Starts the HTTP server; it ends with its own close(), or with the front's. */
  listen(): Promise<ServedHttp>;
  close(): Promise<void>;
}

export interface FrontStdioOptions extends Pick<StdioOptions, 'parentGone' | 'observe' | 'pipes'> {
  readonly factory?: ServerFactory | undefined;
}

export interface FrontOptions {
  readonly config: Config;
  /** The project of clients that name none, an absolute path: the user's word, like --project-from-cwd. */
  readonly project?: string | undefined;
  /** Asked on every detection; the process's own environment by default, read once. */
  readonly environment?: () => Environment;
  /** The working directory; the process's own by default. */
  readonly cwd?: string | undefined;
  /** Another maker of MCP servers than Waymark's own, for programs that embed the listener. */
  readonly servers?: (parts: BaseServerParts) => Promise<ServerFactory>;
}

/** What hosts the engine, in this thread or another. */
export interface EngineHost {
  readonly engine: Engine;
  readonly known: KnownProjects;
  /** Called when clients can connect: the first call finds the engine running. */
  start?(): void;
  close(): Promise<void>;
}

/** What an engine needs of the front. */
export interface HostParts {
  readonly detector: Detector;
  readonly environment: () => Environment;
  readonly logger: Logger;
  /** Where `serve` answers clients from elsewhere, nothing outside of their limit is looked at. */
  readonly reach: () => 'http' | 'cli';
  /** Whether clients are served. */
  readonly isServing: () => boolean;
}

/** The first call hardly comes before that: its client's model has to think. */
const FIRST_CALL_MS = 200;

/** The front of a server: the engine has a thread of its own, so that no client waits for another's work. */
export function openFront(options: FrontOptions & { readonly resolved: ResolvedConfig }): Front {
  const { resolved } = options;
  return createFront(options, ({ environment, reach, logger }) => {
    const engine = openEngineThread(() => ({ resolved, environment: environment(), reach: reach() }), logger);
    return {
      engine,
      known: createRemoteProjects(engine),
      start() {
        engine.start();
        // Needed for the name of the first client: made while its model thinks.
        setTimeout(() => redactSecrets(''), FIRST_CALL_MS).unref();
      },
      close: () => engine.close(),
    };
  });
}

type TenantParts = ReturnType<BaseServerParts['partsOf']>;
type CallObserver = NonNullable<BaseServerParts['observe']>;

/** Beyond this they are made anew: they hold nothing that is not kept elsewhere. */
const MOST_TENANTS = 1_000;

/** The host may be built on first use: its engine is asked for when the first server is made. */
export function createFront<Host extends EngineHost>(
  options: FrontOptions,
  openHost: (parts: HostParts) => Host,
): Front & { readonly host: Host } {
  // No other process can change it.
  const { config, environment = once(readEnvironment), cwd } = options;
  const sink = openLogSink(config.logFile);
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    clock: systemClock,
    write: (line) => sink.write(line),
  });
  let isListening = false;
  let servers: Promise<ServerFactory> | undefined;
  const detector = createDetector({
    environment,
    projectFromCwd: config.projectFromCwd,
    givenAtStart: options.project,
    allowProjectRoot: config.allowProjectRoot,
    findByName: (name) => host.known.byName(name),
    findPushed:
      config.storage === undefined ? undefined : (name, person) => host.engine.findPushed({ name, person }),
    logger,
    ...(cwd === undefined ? {} : { cwd: () => cwd }),
  });
  const host = openHost({
    detector,
    environment,
    logger,
    reach: () => (isListening ? 'http' : 'cli'),
    isServing: () => servers !== undefined,
  });
  const listeners = new Set<Listener>();
  let log: CallLog | undefined;
  let operations: OpenOperations | undefined;
  let told: ReturnType<typeof tellPages> | undefined;
  const parts = (): BaseServerParts => {
    const made = toServerParts({ config, partsOf, logger });
    return { ...made, observe: operations?.observe ?? told };
  };
  const newWord = (): string => systemIds.uuid().replaceAll('-', '').slice(0, 12);
  const tenants = new Map<string | undefined, TenantParts>();
  const partsOf: BaseServerParts['partsOf'] = ({ tenant }) => {
    const known = tenants.get(tenant);
    if (known !== undefined) return known;
    if (tenants.size >= MOST_TENANTS) tenants.clear();
    const made = tenant === undefined ? ownParts() : partsOfTenant(tenant);
    tenants.set(tenant, made);
    return made;
  };
  const ownParts = (): TenantParts => {
    const { engine, known } = host;
    return { detector, known, services: { engine, newWord } };
  };
  /** Nothing of the machine's or of the one who started the server says which project is meant. */
  const partsOfTenant = (tenant: string): TenantParts => {
    const engine = host.engine.forTenant(tenant);
    const known = createRemoteProjects(engine);
    const own = createDetector({
      environment: () => ({}),
      projectFromCwd: false,
      allowProjectRoot: tenantConfig(config, tenant).allowProjectRoot,
      findByName: (name) => known.byName(name),
      findPushed:
        config.storage === undefined ? undefined : (name, person) => engine.findPushed({ name, person }),
      logger,
    });
    return { detector: own, known, services: { engine, newWord } };
  };
  const front = {
    host,
    config,
    logger,
    detector,
    clock: systemClock,
    get engine(): Engine {
      return host.engine;
    },
    get known(): KnownProjects {
      return host.known;
    },
    servers(): Promise<ServerFactory> {
      if (options.project !== undefined || config.projectFromCwd) requireProject(detector, options.project);
      return (servers ??= options.servers?.(parts()) ?? makeServers(parts()));
    },
    async openStdio({ factory, ...options }: FrontStdioOptions): Promise<StdioConnection> {
      told ??= tellPages(config.dataDir);
      const [made, { openStdio }] = await Promise.all([factory ?? front.servers(), import('./mcp/index.ts')]);
      const reportCrash = createCrashReporter(logger, () => systemIds.token(6));
      const connection = openStdio({ ...options, factory: made, logger, reportCrash });
      if (factory === undefined) host.start?.();
      return connection;
    },
    async listen(): Promise<ServedHttp> {
      isListening = true;
      if (config.ui) log ??= (await import('./dashboard/index.ts')).createCallLog(systemClock);
      const checkStorage = (): Promise<void> => host.engine.checkStorage({});
      operations ??= await openOperations(config, {
        engine: () => host.engine,
        observe: log && ownCalls(log),
      });
      const factory = await front.servers();
      const listener = await openHttp({
        config,
        factory,
        logger,
        checkStorage,
        parts: parts(),
        log,
        operations,
      });
      listeners.add(listener);
      host.start?.();
      return listener;
    },
    async close(): Promise<void> {
      await Promise.all([told?.close(), ...[...listeners].map((listener) => listener.close())]);
      await host.close();
      operations?.close();
      sink.close();
    },
  };
  return front;
}

/** The page shows what concerns the one who runs the server: calls of other tenants are theirs. */
function ownCalls(log: CallLog): CallObserver {
  return {
    call: (started) => (started.principal.tenant === undefined ? log.call(started) : () => {}),
    listing: (asked) => (asked.principal.tenant === undefined ? log.listing(asked) : undefined),
  };
}

const TELL_MS = 250;
const LOOK_MS = 1_000;
/** A client that leaves does not wait long for it: a process has two seconds to end. */
const LAST_TELL_MS = 750;
const MOST_TOLD = 200;

/**
 * A client over stdio has this process to itself: the page of a server of the same user is told of its calls, a moment after they are
 * answered. Where no page is served, that is looked for once a second at most, while calls come, and nothing is loaded for it.
 */
function tellPages(dataDir: string): CallObserver & { close(): Promise<void> } {
  const { now, elapsed } = systemClock;
  let calls: MadeCall[] = [];
  let listings: ListingClient[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lookAt = 0;
  const tell = async (): Promise<void> => {
    timer = undefined;
    const some = { calls, listings };
    [calls, listings] = [[], []];
    const pages = listServers(dataDir).filter(({ alive, ui }) => alive && ui !== undefined);
    if (pages.length === 0) lookAt = elapsed() + LOOK_MS;
    else await (await import('./front-tell.ts')).tellServers(pages, some);
  };
  const later = (): void => {
    timer ??= setTimeout(() => void tell().catch(() => {}), TELL_MS).unref();
  };
  return {
    call(started) {
      if (elapsed() < lookAt) return () => {};
      const [at, since] = [now(), elapsed()];
      return (ended) => {
        if (calls.length < MOST_TOLD) calls.push({ started, ended, at, ms: elapsed() - since });
        later();
      };
    },
    listing(client) {
      if (listings.length < MOST_TOLD) listings.push(client);
      later();
    },
    async close() {
      if (timer === undefined) return;
      clearTimeout(timer);
      const limit = new Promise((resolve) => void setTimeout(resolve, LAST_TELL_MS).unref());
      await Promise.race([tell().catch(() => {}), limit]);
    },
  };
}

/** A project that is named at the start must be a directory that can be one. */
function requireProject(detector: Detector, given: string | undefined): void {
  const report = detector.checkCwd();
  if (report.kind === 'found') return;
  const reason = report.kind === 'nothing' ? report.reason : report.message;
  if (given !== undefined)
    throw new AppError('bad_argument', `${reason}.`, {
      hint: 'Name the directory of your project, such as /path/to/project.',
    });
  throw new AppError('bad_config', `--project-from-cwd cannot be used here: ${reason}.`, {
    hint: 'Change to the directory of your project first, or leave the flag out.',
  });
}
