/** Wires everything once. Objects with a life are built here, passed in where they are needed, and ended by close(). */
import { openHttp } from './app-http.ts';
import { makeServers, toServerParts, type BaseServerParts } from './app-servers.ts';
import { readEnvironment, type Config, type Environment } from './config/index.ts';
import { AppError, type Clock, type Logger } from './core/index.ts';
import { chooseEncoder, loadStaticEncoder, type EncoderChoice, type HttpLimits } from './embedding/index.ts';
import type { Listener } from './http/index.ts';
import {
  createAnalyzer,
  createIndexing,
  createShelf,
  createSourceReader,
  languageKind,
  languagesNamed,
  wantedLanguages,
  type Indexing,
  type IndexScope,
} from './indexing/index.ts';
import type { ServerFactory } from './mcp/index.ts';
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
  systemClock,
  systemIds,
  userName,
  type Disk,
} from './platform/index.ts';
import {
  createDetector,
  createKnownProjects,
  findGitDir,
  readChangedFiles,
  readDirtyFiles,
  readGitIdentity,
  readPlace,
  type Detector,
  type DirtyOptions,
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
import { createLogger, once } from './text/index.ts';

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly detector: Detector;
  readonly indexing: Indexing;
  readonly search: Search;
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
  /** Other parser children than the usual ones, to see what comes of their faults. */
  readonly parser?: ExactParserParts;
  /** Other limits for a service that makes vectors than the usual ones. */
  readonly encoder?: { readonly limits: Partial<HttpLimits> };
}

const MAX_KNOWN = 10_000;
/** Files that are not committed: as many as a checkpoint lists, and as a search may be limited to. */
const MOST_NOTED = 50;
const MOST_CHANGED = 5_000;
/** How long someone's regular expression may run. */
const REGEX_MS = 2_000;

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
    givenAtStart: options.project,
    allowProjectRoot: config.allowProjectRoot,
    findByName: (name) => known.byName(name),
    logger,
  });
  let isListening = false;
  // Where clients from elsewhere are served, what lies outside of their limit is not looked at for anybody.
  const diskOf = (root: string): Disk => detector.diskOf(root, isListening ? 'http' : 'cli');
  const encoder = once(loadStaticEncoder);
  const closing = new AbortController();
  const choice = chooseEncoder(config, { signal: closing.signal, clock: systemClock, ...options.encoder });
  // What was learned is always compared by the static model: it is sent nowhere.
  const codeEncoder = () => (choice.kind === 'none' ? undefined : encoder());
  let servers: Promise<ServerFactory> | undefined;
  const { cacheDir } = config;
  const scopeOf = (root: string): IndexScope =>
    toScope(root, forProject(root), { environment: environment(), disk: diskOf(root) });
  const indexing = createIndexing({
    openStore: (root) => openIndexStore({ cacheDir, root, clock: systemClock, logger }),
    tryLock: (root) => tryWriterLock(cacheDir, root),
    tryFollow: (root) => tryFollowerLock(cacheDir, root),
    mayFollow: () => servers !== undefined && config.watch === 'auto',
    analyzer: once(() => createAnalyzer(codeEncoder())),
    encoder: choice,
    hasIndex: (root) => pathExists(indexFile(cacheDir, root)),
    removeIndex(root) {
      search.forget(root);
      return removeIndex(cacheDir, root);
    },
    scopeOf,
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
    onSettled: (root) => search.keep(root, 'whole'),
    parser: options.parser,
    clock: systemClock,
    logger,
  });
  const dirtyOptions = (root: string, most: number): DirtyOptions => ({
    clock: systemClock,
    list: scopeOf(root).list,
    disk: diskOf(root),
    most,
  });
  const sources = createSourceReader(systemClock);
  const search = createSearch({
    store: (root) => indexing.store(root),
    readText: (root, path, indexed) => sources.read(root, path, indexed),
    compileGlobs: createGlobMatcher,
    languageKind,
    languagesNamed,
    changedFiles: (root, branch) => readChangedFiles(root, branch, dirtyOptions(root, MOST_CHANGED)),
    matchLines: (input, signal) => matchLines({ ...input, timeoutMs: REGEX_MS }, signal),
    encoder: codeEncoder,
    remote: choice.kind === 'http' ? choice.remote : undefined,
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
      mayTell: (identity) => !isListening || detector.mayName(identity, 'http'),
      placeOf: (root) => readPlace(root, diskOf(root)),
      hashFile: (root, path) => hashProjectFile(root, path, systemClock),
      dirtyFiles: async (root) => (await readDirtyFiles(root, dirtyOptions(root, MOST_NOTED))) ?? [],
      // Asked for when something is saved: looking it up is a question to the system.
      get user() {
        return userName();
      },
      readGuides: (root) => readGuideFiles(root, diskOf(root)),
      matcher: createGlobMatcher,
    },
    encoder,
    clock: systemClock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });
  const listeners = new Set<Listener>();

  const parts = () =>
    toServerParts({ config, detector, known, logger, services: { indexing, search, memory, known } });

  const app: App = {
    config,
    logger,
    detector,
    indexing,
    search,
    memory,
    encoder: choice,
    clock: systemClock,
    known,
    catalog: openCatalog,
    servers() {
      if (options.project !== undefined || config.projectFromCwd) requireProject(detector, options.project);
      return (servers ??= given?.(parts()) ?? makeServers(parts()));
    },
    async listen() {
      isListening = true;
      const checkStorage = async (): Promise<void> => void (await (await openCatalog()).list({ limit: 1 }));
      const factory = await app.servers();
      const listener = await openHttp({ config, factory, detector, logger, checkStorage, parts: parts() });
      listeners.add(listener);
      return listener;
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      closing.abort();
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

/** Which files of a project are indexed: what its settings say, and the ignore rules that git keeps outside of it. */
function toScope(
  root: string,
  { include, exclude, languages }: Config,
  { environment, disk }: { readonly environment: Environment; readonly disk: Disk },
): IndexScope {
  const places = { home: homeDirectory(), configHome: environment['XDG_CONFIG_HOME'] };
  const wanted = wantedLanguages(languages);
  return {
    list: {
      include,
      exclude,
      otherLanguage: wanted.otherLanguage,
      globalExcludes: findGlobalExcludes(places),
      gitDir: findGitDir(root, disk),
      gitDirOf: (absFolder) => readGitIdentity(absFolder, disk)?.commonDir,
    },
    languages: wanted.languages,
  };
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
