/** Wires everything once. Objects with a life are built here, passed in where they are needed, and ended by close(). */
import { join } from 'node:path';
import { readEnvironment, type Config, type Environment } from './config/index.ts';
import { AppError, parseToolsets, type Clock, type Logger } from './core/index.ts';
import { loadStaticEncoder } from './embedding/index.ts';
import type { Listener } from './http/index.ts';
import {
  createAnalyzer,
  createIndexing,
  createShelf,
  createSourceReader,
  languageKind,
  languagesNamed,
  type Indexing,
  type IndexScope,
} from './indexing/index.ts';
import type { HttpEdge, ServerFactory, ServerParts } from './mcp/index.ts';
import type { RestEdge } from './rest/index.ts';
import type { ExactParserParts } from './parsing/index.ts';
import { createKeyMaker, createMemory, type Memory } from './memory/index.ts';
import {
  createGlobMatcher,
  findGlobalExcludes,
  homeDirectory,
  matchLines,
  hashProjectFile,
  openLogSink,
  pathExists,
  readGuideFiles,
  readOrCreateSecret,
  readRotatingSecret,
  systemClock,
  systemIds,
  userName,
  writeRunFile,
} from './platform/index.ts';
import {
  createDetector,
  createKnownProjects,
  findGitDir,
  readDirtyFiles,
  readPlace,
  type Detector,
  type KnownProjects,
} from './project/index.ts';
import {
  catalogFile,
  createMemorySpaces,
  indexFile,
  listIndexFiles,
  openCatalogStore,
  openIndexStore,
  removeIndex,
  removeIndexFile,
  tryFollowerLock,
  tryWriterLock,
  type CatalogStore,
} from './storage/index.ts';
import { createSearch, type Search } from './search/index.ts';
import { createLogger } from './text/index.ts';

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  readonly indexing: Indexing;
  readonly search: Search;
  readonly memory: Memory;
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
  /** Read on every detection; the process's own environment by default. */
  readonly environment?: () => Environment;
  /** Another maker of MCP servers than Waymark's own, for programs that embed the listener. */
  readonly servers?: (parts: BaseServerParts) => Promise<ServerFactory>;
  /** Other parser children than the usual ones, to see what comes of their faults. */
  readonly parser?: ExactParserParts;
}

/** Where others can reach the server, one client may not use it up. */
const REQUESTS_PER_MINUTE = 600;
const MAX_KNOWN = 10_000;
/** How long someone's regular expression may run. */
const REGEX_MS = 2_000;
const STATE_KEY_MAX_AGE_MS = 30 * 24 * 3600 * 1000;

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
  let catalog: Promise<CatalogStore> | undefined;
  const openCatalog = (): Promise<CatalogStore> => {
    catalog ??= openCatalogStore({ dataDir: config.dataDir, clock: systemClock, logger });
    // One that could not be opened is tried again at the next call.
    catalog.catch(() => (catalog = undefined));
    return catalog;
  };
  const known = createKnownProjects({
    exists: () => pathExists(catalogFile(config.dataDir)),
    open: openCatalog,
    clock: systemClock,
    logger,
  });
  const detector = createDetector({
    environment,
    projectFromCwd: config.projectFromCwd,
    allowProjectRoot: config.allowProjectRoot,
    findByName: (name) => known.byName(name),
    logger,
  });
  const encoder = once(loadStaticEncoder);
  let servers: Promise<ServerFactory> | undefined;
  const { cacheDir } = config;
  const indexing = createIndexing({
    openStore: (root) => openIndexStore({ cacheDir, root, clock: systemClock, logger }),
    tryLock: (root) => tryWriterLock(cacheDir, root),
    tryFollow: (root) => tryFollowerLock(cacheDir, root),
    mayFollow: () => servers !== undefined && config.watch === 'auto',
    analyzer: once(() => createAnalyzer(encoder())),
    hasIndex: (root) => pathExists(indexFile(cacheDir, root)),
    removeIndex: (root) => removeIndex(cacheDir, root),
    scopeOf: (root) => toScope(root, forProject(root), environment()),
    autoIndex: config.autoIndex,
    shelf: createShelf({
      files: () => listIndexFiles(cacheDir),
      removeFile: (file) => removeIndexFile(cacheDir, file),
      known: async () =>
        pathExists(catalogFile(config.dataDir)) ? (await openCatalog()).list({ limit: MAX_KNOWN }) : [],
      limitBytes: config.cacheLimitMb * 1024 * 1024,
      clock: systemClock,
      logger,
    }),
    newId: () => `op-${systemIds.token(9)}`,
    parser: options.parser,
    clock: systemClock,
    logger,
  });
  const sources = createSourceReader(systemClock);
  const search = createSearch({
    store: (root) => indexing.store(root),
    readText: (root, path) => sources.read(root, path),
    compileGlobs: createGlobMatcher,
    languageKind,
    languagesNamed,
    matchLines: (input, signal) => matchLines({ ...input, timeoutMs: REGEX_MS }, signal),
    encoder,
    clock: systemClock,
  });
  const memory = createMemory({
    spaces: createMemorySpaces({
      dataDir: config.dataDir,
      keyMaker: once(() => createKeyMaker(encoder())),
      clock: systemClock,
      logger,
    }),
    around: {
      placeOf: readPlace,
      hashFile: (root, path) => hashProjectFile(root, path, systemClock),
      dirtyFiles: (root) =>
        readDirtyFiles(root, {
          clock: systemClock,
          list: toScope(root, forProject(root), environment()).list,
        }),
      // Asked for when something is saved: looking it up is a question to the system.
      get user() {
        return userName();
      },
      readGuides: readGuideFiles,
      matcher: createGlobMatcher,
    },
    encoder,
    clock: systemClock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });
  const listeners = new Set<Listener>();

  const parts = () =>
    toServerParts({ config, detector, known, logger, services: { indexing, search, memory } });

  const app: App = {
    config,
    logger,
    detector,
    indexing,
    search,
    memory,
    clock: systemClock,
    known,
    catalog: openCatalog,
    servers() {
      if (config.projectFromCwd) requireProject(detector);
      return (servers ??= given?.(parts()) ?? makeServers(parts()));
    },
    async listen() {
      const factory = await app.servers();
      const listener = await openHttp({ config, factory, detector, logger, parts: parts() });
      listeners.add(listener);
      return listener;
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      await indexing.close();
      await memory.close();
      await known.settled();
      // A store that failed to open has nothing to close, and its opener has heard of the failure.
      await catalog?.then(
        (store) => store.close(),
        () => {},
      );
      sink.close();
    },
  };
  return app;
}

/** Made on first use, then kept. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Which files of a project are indexed: what its settings say, and the ignore rules that git keeps outside of it. */
function toScope(
  root: string,
  { include, exclude, languages }: Config,
  environment: Environment,
): IndexScope {
  const places = { home: homeDirectory(), configHome: environment['XDG_CONFIG_HOME'] };
  return {
    list: { include, exclude, globalExcludes: findGlobalExcludes(places), gitDir: findGitDir(root) },
    languages,
  };
}

/** Whoever says that the project is here must be somewhere that can be one. */
function requireProject(detector: Detector): void {
  const report = detector.checkCwd();
  if (report.kind === 'found') return;
  const reason = report.kind === 'nothing' ? report.reason : report.message;
  throw new AppError('bad_config', `--project-from-cwd cannot be used here: ${reason}.`, {
    hint: 'Change to the directory of your project first, or leave the flag out.',
  });
}

/** All that a maker of servers needs besides what it serves. */
export type BaseServerParts = Omit<ServerParts, 'tools' | 'resources' | 'prompts'>;

function toServerParts(
  made: Pick<BaseServerParts, 'detector' | 'known' | 'logger' | 'services'> & { readonly config: Config },
): BaseServerParts {
  const { config, detector, known, logger, services } = made;
  return {
    detector,
    known,
    logger,
    services,
    toolsets: parseToolsets(config.toolsets),
    clock: systemClock,
    tip: config.tip,
    version: WAYMARK_VERSION,
    newReference: () => systemIds.token(6),
    stateKeys: () =>
      readRotatingSecret({
        absPath: join(config.dataDir, 'state-key'),
        ids: systemIds,
        clock: systemClock,
        maxAgeMs: STATE_KEY_MAX_AGE_MS,
      }),
  };
}

async function makeServers(parts: BaseServerParts): Promise<ServerFactory> {
  const [{ createServerFactory }, { PROMPTS, RESOURCES, TOOLS }] = await Promise.all([
    import('./mcp/index.ts'),
    import('./tools/index.ts'),
  ]);
  return createServerFactory({ ...parts, tools: TOOLS, resources: RESOURCES, prompts: PROMPTS });
}

interface HttpParts {
  readonly config: Config;
  readonly factory: ServerFactory;
  readonly detector: Detector;
  readonly logger: Logger;
  readonly parts: BaseServerParts;
}

async function openHttp({ config, factory, detector, logger, parts }: HttpParts): Promise<Listener> {
  const [{ createHttpEdge }, { checkBind, createRateLimit, isLoopback, LOOPBACK_HOSTS, openListener }] =
    await Promise.all([import('./mcp/index.ts'), import('./http/index.ts')]);
  const wantsToken = config.requireToken || config.token !== undefined;
  checkBind({ ...config, hasToken: wantsToken });
  const ownToken = once(() => config.token ?? readOrCreateSecret(join(config.dataDir, 'token'), systemIds));
  const token = wantsToken ? ownToken() : undefined;
  const perMinute = config.rateLimit > 0 ? config.rateLimit : REQUESTS_PER_MINUTE;
  const limited = config.rateLimit > 0 || !isLoopback(config.host);
  const rest = config.rest ? await openRest(parts, ownToken()) : undefined;
  const mcpEdge = createHttpEdge({
    factory,
    logger,
    clock: systemClock,
    newId: () => systemIds.uuid(),
    newReference: () => systemIds.token(6),
    legacySse: config.legacySse,
    stateless: config.stateless,
    lenient: config.lenient,
    checkQuery: (path) => detector.checkQuery(path),
    maxSessions: config.maxSessions,
    sessionIdleMs: config.sessionIdleSeconds * 1000,
  });
  const edge: HttpEdge = {
    handle: (exchange) => mcpEdge.handle(exchange) ?? rest?.handle(exchange),
    get sessions() {
      return mcpEdge.sessions;
    },
    async close() {
      rest?.close();
      await mcpEdge.close();
    },
  };
  const listener = await openListener({
    edge,
    host: config.host,
    port: config.port,
    rules: {
      hosts: [...LOOPBACK_HOSTS, ...config.allowHost.map((name) => name.toLowerCase())],
      origins: config.allowOrigin.map((origin) => origin.toLowerCase()),
    },
    token,
    rateLimit: limited ? createRateLimit(perMinute, systemClock) : undefined,
    logger,
    clock: systemClock,
    newReference: () => systemIds.token(6),
  });
  const forget = writeRunFile(join(config.dataDir, 'servers'), {
    url: listener.url,
    version: WAYMARK_VERSION,
  });
  return {
    ...listener,
    async close() {
      forget();
      await listener.close();
    },
  };
}

/** Plain HTTP wants the token even where MCP does not: any program can speak it by accident. */
async function openRest(parts: BaseServerParts, token: string): Promise<RestEdge> {
  const [{ createRestEdge }, { hasToken, unauthorized }] = await Promise.all([
    import('./rest/index.ts'),
    import('./http/index.ts'),
  ]);
  return createRestEdge({
    ...parts,
    authorize: (header) => (hasToken(header, token) ? undefined : unauthorized(header)),
  });
}
