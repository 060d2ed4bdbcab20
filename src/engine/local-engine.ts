/** The engine in this thread: stores, indexing, search and memory, wired once, behind the port. */
import { join } from 'node:path';
import type { Config, Environment } from '../config/index.ts';
import {
  AppError,
  type ChangedFiles,
  isPushedRoot,
  type Logger,
  nextTurn,
  once,
  OWN_TENANT,
  type ProjectPlace,
} from '../core/index.ts';
import { chooseEncoder, createReranker, type EncoderChoice, type HttpLimits } from '../embedding/index.ts';
import {
  createAnalyzer,
  createIndexing,
  createIndexCatalog,
  createSourceReader,
  type Indexing,
  type IndexScope,
  toOperation,
  WAIT_LIMITS,
  waitFor,
} from '../indexing/index.ts';
import { languageKind, languagesNamed, type ExactParserParts } from '../languages/index.ts';
import { createMemory, type Memory, gate, rehearse } from '../memory/index.ts';
import { openTextFolder, systemClock, systemIds, userName } from '../platform/index.ts';
import { createKnownProjects, findTree, type CataloguedProjects, type Detector } from '../project/index.ts';
import { createSearch, type IndexedText, type Search, type SourceText } from '../search/index.ts';
import { createStructure, type Structure } from '../structure/index.ts';
import type { CatalogStore } from '../storage/index.ts';
import { redactSecrets } from '../text/index.ts';
import {
  createGlobMatcher,
  createIndexCache,
  hashProjectFile,
  readProjectFile,
  readGuideFiles,
  type Disk,
  readChangedFiles,
  readGitIdentity,
  readPlace,
  readUncommitted,
} from '../workspace/index.ts';
import { isLocal, personIdentity, sharedIdentity, type SharedParts } from './choose-storage.ts';
import { createPushMethods, refusePushed, type PushParts } from './push-methods.ts';
import { createPushedProjects, NO_DISK, preparing, type PushedProjects } from './pushed-projects.ts';
import { createMatcher, type MatcherOptions } from './matcher.ts';
import { toScope } from './index-scope.ts';
import { createInspection } from './inspect.ts';
import { memoryMethods } from './memory-methods.ts';
import type { Engine } from './port.ts';

export interface EngineServices {
  readonly pushed: PushedProjects;
  readonly push: PushParts;
  readonly indexing: Indexing;
  readonly search: Search;
  readonly structure: Structure;
  readonly memory: Memory;
  readonly encoder: EncoderChoice;
  /** Projects seen before. */
  readonly known: CataloguedProjects;
  /** Where they are kept. Opened on first use: no file is touched before it is needed. */
  catalog(): Promise<CatalogStore>;
  /** Throws at once if nothing can be kept or read at this moment. */
  checkStorage(): Promise<void>;
  sharedKeys: Engine['sharedKeys'];
  /** Loads what the first call would wait for, and opens what it would open of ours; touches no project. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** As they hold for the tenant. */
  readonly config: Config;
  /** Whose services these are; left out: who runs the server. */
  readonly tenant?: string | undefined;
  readonly shared: SharedParts;
  /** The settings as they hold inside one project. */
  readonly forProject: (root: string) => Config;
  readonly environment: () => Environment;
  /** Where `serve` answers clients from elsewhere, nothing outside of their limit is looked at. */
  readonly reach: () => 'http' | 'cli';
  /** Whether projects are watched once they are used: by servers only. */
  readonly mayFollow: () => boolean;
  readonly detector: Pick<Detector, 'diskOf' | 'mayName'>;
  readonly logger: Logger;
  /** Other parser children than the usual ones, to see what comes of their faults. */
  readonly parser?: ExactParserParts | undefined;
  /** Other limits for a service that makes vectors than the usual ones. */
  readonly encoder?: { readonly limits: Partial<HttpLimits> } | undefined;
  /** Other limits for expressions than the usual ones. */
  readonly matcher?: MatcherOptions | undefined;
}

/** Of a file that says what imports mean. */
const MOST_CONFIG_BYTES = 1024 * 1024;
const MAX_KNOWN = 10_000;
/** Files that are not committed: as many as a checkpoint lists, and as a search may be limited to. */
const MOST_NOTED = 50;
const MOST_CHANGED = 5_000;
/** How long a checkpoint looks for them where no watcher knows the tree. */
const UNCOMMITTED_MS = 15;

export function createServices(options: ServiceOptions): EngineServices {
  const { config, tenant, shared, forProject, environment, reach, mayFollow, detector, logger } = options;
  const { encoder } = shared;
  const storage = shared.storage.open({
    config,
    tenant: tenant ?? OWN_TENANT,
    identityOf: (root) => placeOf(root).identity,
  });
  const { indexes } = storage;
  /** Without them nothing is asked of a root's name. */
  const isPushed = storage.pushes === undefined ? () => false : isPushedRoot;
  const known = createKnownProjects({
    // A pushed one is found by its name.
    mayKeep: ({ root, name }) => !isPushed(root) && gate.clean(root) === root && gate.clean(name) === name,
    exists: () => storage.hasCatalog(),
    open: () => storage.catalog(),
    clock: systemClock,
    logger,
  });
  const diskOf = (root: string): Disk => (isPushed(root) ? NO_DISK : detector.diskOf(root, reach()));
  const closing = new AbortController();
  const choice = chooseEncoder(config, { signal: closing.signal, clock: systemClock, ...options.encoder });
  // Memory is always compared by the static model: its text is sent nowhere.
  const codeEncoder = () => (choice.kind === 'none' ? undefined : encoder());
  const scopeOf = (root: string): IndexScope =>
    toScope(root, isPushed(root) ? config : forProject(root), {
      environment: environment(),
      disk: diskOf(root),
    });
  const placeOf = (root: string): ProjectPlace => {
    if (isPushed(root)) return pushed.placeOf(root);
    const disk = diskOf(root);
    const place = readPlace(root, findTree(root, disk), disk);
    if (!storage.isShared) return place;
    return { ...place, identity: sharedIdentity(place, readGitIdentity(place.root, disk)?.remote) };
  };
  const analyzer = once(() => createAnalyzer(codeEncoder()));
  const indexing = createIndexing({
    openStore: (root) => indexes.open(root),
    tryLock: (root) => indexes.tryWriterLock(root),
    tryFollow: (root) => indexes.tryFollowerLock(root),
    mayFollow: () => mayFollow() && config.watch === 'auto',
    analyzer,
    encoder: choice,
    hasIndex: (root) => indexes.exists(root),
    removeIndex(root) {
      search.forget(root);
      structure.forget(root);
      return indexes.remove(root);
    },
    scopeOf,
    placeOf,
    autoIndex: config.autoIndex,
    catalog: createIndexCatalog({
      indexes,
      isShared: storage.isShared,
      known: async () => {
        await known.settled();
        return (await storage.hasCatalog()) ? (await storage.catalog()).list({ limit: MAX_KNOWN }) : [];
      },
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
  const pushed = createPushedProjects(storage.pushes, {
    store: (root) => indexing.store(root),
    clock: systemClock,
  });
  const gitIndexes = createIndexCache();
  const sources = createSourceReader(systemClock);
  const readText = (root: string, path: string, indexed?: IndexedText): SourceText | undefined =>
    isPushed(root) ? pushed.textOf(root, path) : sources.read(root, path, indexed);
  const matcher = createMatcher(options.matcher);
  const changedFiles = async (root: string, branch?: string): Promise<ChangedFiles> =>
    readChangedFiles(placeOf(root), branch, {
      clock: systemClock,
      list: () => scopeOf(root).list,
      cache: gitIndexes,
      known: await indexing.following.knownFiles(root),
      disk: diskOf(root),
      most: MOST_CHANGED,
    });
  const structure = createStructure({
    store: (root) => indexing.store(root),
    readText,
    compileGlobs: createGlobMatcher,
    changedFiles,
    readConfig: (root, path) => diskOf(root).read(join(root, path), MOST_CONFIG_BYTES),
    parse: async (root, paths, call) => (isPushed(root) ? 0 : indexing.parseWaiting(root, paths, call)),
    waitMs: WAIT_LIMITS.needMs,
    clock: systemClock,
  });
  const search = createSearch({
    store: (root) => indexing.store(root),
    readText,
    compileGlobs: createGlobMatcher,
    languageKind,
    languagesNamed,
    changedFiles,
    matchFiles: async (input, call) =>
      isPushed(input.root) ? { found: [], why: 'all' } : matcher.matchFiles(input, call),
    encoder: codeEncoder,
    remote: choice.kind === 'http' ? choice.remote : undefined,
    reranker: createReranker(config, { signal: closing.signal, clock: systemClock }),
    clock: systemClock,
    memory: shared.memory,
  });
  const memory = createMemory({
    spaces: storage.memory,
    around: {
      mayTell: (identity) =>
        reach() !== 'http' ||
        (isLocal(identity)
          ? detector.mayName(identity, 'http')
          : tenant !== undefined || config.allowProjectRoot.length === 0),
      placeOf,
      hashFile: (root, path) =>
        isPushed(root) ? pushed.hashOf(root, path) : hashProjectFile(root, path, systemClock),
      readFile: (root, path) => (isPushed(root) ? undefined : readProjectFile(root, path, systemClock)),
      // Of the whole working tree: its projects share a memory, and name files from its top.
      uncommitted: async (place) =>
        readUncommitted(
          { ...place, folder: '' },
          {
            clock: systemClock,
            list: () => scopeOf(place.root).list,
            cache: gitIndexes,
            known: await indexing.following.knownFiles(place.root),
            disk: diskOf(place.root),
            most: MOST_NOTED,
            budgetMs: UNCOMMITTED_MS,
          },
        ),
      // Asked for when something is saved: looking it up is a question to the system.
      get user() {
        return userName();
      },
      get person() {
        return personIdentity(storage);
      },
      openFiles: (root) => openTextFolder(join(root, '.waymark', 'memory'), root),
      readGuides: (root) => readGuideFiles(root, diskOf(root)),
      matcher: createGlobMatcher,
    },
    encoder,
    clock: systemClock,
    newId: () => systemIds.uuid().replaceAll('-', '').slice(0, 12),
  });

  return {
    pushed,
    push: {
      pushes: storage.pushes,
      analysis: () => analyzer().id,
      keepsSource: config.keepSource,
      onPushed: (root) => void search.keep(root, 'whole').catch(() => {}),
    },
    indexing,
    search,
    structure,
    memory,
    encoder: choice,
    known,
    catalog: () => storage.catalog(),
    checkStorage: () => storage.check(),
    sharedKeys: ({ name }) => storage.sharedKeys(name, systemIds.token(SHARED_KEY_BYTES)),
    async warmUp() {
      // The first call says what is wrong with it, in its own words.
      await storage.warmUp().catch(() => {});
      for (const load of [encoder, () => redactSecrets(''), () => rehearse(encoder())]) {
        await nextTurn();
        load();
      }
    },
    async close() {
      closing.abort();
      matcher.close();
      await indexing.close();
      await known.settled();
      await storage.close();
    },
  };
}

const NEVER = new AbortController().signal;
const SHARED_KEY_BYTES = 32;

/** `forTenant` opens the engines of others, where there are any. */
export function createEngine(
  services: EngineServices,
  forTenant: (tenant: string) => Engine = refuseTenants,
): Engine {
  const { indexing, search, structure, memory, known, pushed } = services;
  const hasPushed = services.push.pushes !== undefined;
  const isPushed = hasPushed ? isPushedRoot : () => false;
  const engine: Engine = {
    ensureIndex: async ({ root, mayWrite }, { signal = NEVER, onProgress } = {}) =>
      isPushed(root) ? pushed.freshnessOf(root) : indexing.ensure(root, { mayWrite, signal, onProgress }),
    async index({ root, waitMs }, { signal = NEVER, onProgress } = {}) {
      refusePushed(root);
      const job = indexing.start(root);
      const letGo = job.hold();
      try {
        const end = await waitFor(job, { signal, maxMs: waitMs, onProgress });
        if (end?.kind === 'failed' && end.error.facts.fault === 'bug') throw end.error;
        const operation = toOperation(job);
        return operation.state === 'done'
          ? { ...operation, files: (await indexing.stats(root)).files }
          : operation;
      } catch (thrown) {
        // Cancelled: other callers that wait for the job keep it going.
        letGo();
        throw thrown;
      }
    },
    async operation({ id }) {
      const job = indexing.operation(id);
      return job && toOperation(job);
    },
    async followOperation({ id }, { signal = NEVER, onProgress } = {}) {
      const job = indexing.operation(id);
      if (job === undefined) return undefined;
      await waitFor(job, { signal, maxMs: Infinity, onProgress });
      return toOperation(job);
    },
    indexState: ({ root }) => indexing.state(root),
    listIndexes: () => indexing.catalog.list(),
    clearIndex: ({ root }) => indexing.clear(root),

    search: async (request, { signal = NEVER, client } = {}) => {
      const answer = await search.run({ ...request, signal, client });
      return hasPushed ? pushed.withLines(answer, request.detail) : answer;
    },
    analyzeQuery: (request, { signal = NEVER, client } = {}) =>
      search.analyze({ ...request, signal, client }),

    findReferences: (request, call) => structure.references(request, call),
    fileDependencies: (request, call) => structure.dependencies(request, call),
    fileImpact: (request, call) => structure.impact(request, call),
    outline: (request, call) => structure.outline(request, call),
    codeMap: (request, call) => structure.codeMap(request, call),

    ...createInspection(services),

    ...memoryMethods(memory),
    ...createPushMethods(services.push),

    knownProjects: () => known.list(MAX_KNOWN),
    projectsNamed: ({ name }) => known.byName(name),
    rememberProject: async ({ project }) => known.remember(project),
    checkStorage: () => services.checkStorage(),
    sharedKeys: (request) => services.sharedKeys(request),
    forClient: (client) => ({
      ...engine,
      search: (request, call) => engine.search(request, { client, ...call }),
      analyzeQuery: (request, call) => engine.analyzeQuery(request, { client, ...call }),
    }),
    forTenant: (tenant) => (tenant === undefined ? engine : forTenant(tenant)),
    close: () => services.close(),
  };
  return hasPushed ? preparing(engine, pushed) : engine;
}

function refuseTenants(): never {
  throw new AppError('internal', 'A program that serves no tenants was asked for one.');
}
