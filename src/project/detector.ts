/** Asks the sources that a call has, the most trusted first, and decides. Each call is evaluated afresh; nothing is kept between calls. */
import { isAbsolute } from 'node:path';
import {
  isPushedRoot,
  PROJECT_SOURCES,
  type Detection,
  type Disagreement,
  type FoundReport,
  type Logger,
  type SourceReport,
  InputNeeded,
  type FoundProject,
  type GitIdentity,
  type Project,
  type ProjectSource,
  type RefusedReport,
} from '../core/index.ts';
import { systemClock, workingDirectory } from '../platform/index.ts';
import { type Disk, readGitIdentity } from '../workspace/index.ts';
import {
  findTree,
  resolveNamedDirectory,
  createAllowedRoots,
  createPlaceFinder,
  NO_LIMIT,
  type AllowedRoots,
  type Environment,
} from './identity.ts';
import {
  CODEX_META,
  forbidden,
  GOOSE_META,
  isThere,
  nothing,
  refused,
  reportClientMeta,
  reportNamed,
  reportQuery,
  reportQueryParam,
  reportRoots,
  type FindByName,
  type QueryPath,
  type RootsAnswer,
  type SourceRules,
} from './call-sources.ts';
import { PROJECT_VARIABLES, reportCwd, reportEnv, reportPwd, type Transport } from './process-sources.ts';

/**
 * The most trusted source that found a project wins. A source that named a directory which cannot be used ends the chain
 * where it stands: to guess on would be to answer from a project that was not meant. A bad URL ends it even where roots would
 * have won, because the URL is part of the user's own configuration.
 */
export function decideProject(unordered: readonly SourceReport[]): Detection {
  const reports = unordered.toSorted(
    (a, b) => PROJECT_SOURCES.indexOf(a.source) - PROJECT_SOURCES.indexOf(b.source),
  );
  const badUrl = reports.find((report) => report.kind === 'refused' && report.source === 'query_param');
  const decisive = reports.find((report) => report.kind !== 'nothing');
  const refused = badUrl?.kind === 'refused' ? badUrl : decisive;
  if (refused?.kind === 'refused') return { kind: 'refused', refused, reports };
  if (decisive?.kind !== 'found') return { kind: 'none', reports };
  const { project, source, via, weak, vcs } = decisive;
  const losers = reports.filter(
    (report): report is FoundReport => report.kind === 'found' && report.project.root !== project.root,
  );
  const disagreements = losers.map((loser) => ({ winner: decisive, loser }));
  return { kind: 'found', project, source, via, weak, vcs, disagreements, reports };
}

export interface DetectionLog {
  /** One line per distinct disagreement, however often it is met. */
  disagreements(met: readonly Disagreement[]): void;
  /**
   * Whether less trusted sources have to be asked to know if they disagree: not if the same winner has met the same facts
   * before. What changes on disk in between can only cost a line here, never a decision.
   */
  mayDisagree(winner: SourceReport, facts: () => readonly unknown[]): boolean;
  skippedRoot(root: number, reason: string): void;
  /** Our own variable was set on purpose: one line says that it does not work. */
  unusableVariable(name: string, message: string): void;
}

/** Beyond these the oldest are evicted: a line may come twice then, but none is ever held back. */
const MAX_KEPT = 500;
const MAX_LOGGED = 10_000;
/** Longer keys are not worth their memory: the less trusted sources are asked again. */
const MAX_KEY = 4096;

export function createDetectionLog(logger: Logger | undefined): DetectionLog {
  const logged = new Set<string>();
  const compared = new Set<string>();
  const warned = new Set<string>();

  return {
    disagreements(met) {
      for (const { winner, loser } of met) {
        const key = [winner.source, winner.project.root, loser.source, loser.project.root].join('\0');
        if (!isNew(logged, key, MAX_LOGGED)) continue;
        logger?.info('sources name different projects', {
          winner: winner.source,
          winnerPath: winner.project.root,
          loser: loser.source,
          loserPath: loser.project.root,
        });
      }
    },
    mayDisagree(winner, facts) {
      // A refusal is no project that another could differ from, and without a log there is nothing to write.
      if (winner.kind !== 'found' || logger === undefined) return false;
      const key = JSON.stringify([winner.source, winner.project.root, ...facts()]);
      return key.length > MAX_KEY || isNew(compared, key);
    },
    skippedRoot(root, reason) {
      logger?.debug('a root is passed over', { root, reason });
    },
    unusableVariable(name, message) {
      if (name !== 'WAYMARK_PROJECT' || !isNew(warned, message)) return;
      logger?.warn('WAYMARK_PROJECT is passed over', { reason: message });
    },
  };
}

/** Adds to what is kept; false if it was there. */
function isNew(kept: Set<string>, key: string, most = MAX_KEPT): boolean {
  if (kept.has(key)) return false;
  const [oldest] = kept.size >= most ? kept : [];
  if (oldest !== undefined) kept.delete(oldest);
  kept.add(key);
  return true;
}

export interface DetectorOptions {
  /** Read on every call, so that a changed variable counts at once. */
  readonly environment: () => Environment;
  readonly projectFromCwd: boolean;
  /** A directory that the user named at the start; it stands in for the working directory. */
  readonly givenAtStart?: string | undefined;
  /** Folders that HTTP clients may name projects in; empty means no limit. */
  readonly allowProjectRoot?: readonly string[];
  readonly findByName?: FindByName;
  /** Projects of a name whose index was pushed, as the caller sees them. */
  readonly findPushed?: ((name: string, caller: string) => Promise<readonly Project[]>) | undefined;
  readonly logger?: Logger;
  /** The working directory; the process's own by default. */
  readonly cwd?: () => string | undefined;
}

/** What a call brings along. Whatever is left out has nothing to say. */
export interface DetectionRequest {
  readonly transport: Transport;
  /** Who calls, as its principal is called. */
  readonly caller?: string | undefined;
  readonly argument?: string | undefined;
  readonly switched?: string | undefined;
  /** Asked only if no more trusted source has spoken. */
  readonly roots?: (() => Promise<RootsAnswer>) | undefined;
  /** What the client has told of its roots before, for calls that do not ask it. */
  readonly knownRoots?: (() => RootsAnswer | undefined) | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: QueryPath | undefined;
  /** What the client calls itself, without a version. */
  readonly client?: string | undefined;
  /** Ask every source, to explain; a call that only wants an answer does not pay for that. */
  readonly explain?: boolean;
}

export interface Detector {
  detect(request: DetectionRequest): Promise<Detection>;
  /** What naming a project outright would come to. */
  name(
    source: 'argument' | 'switched',
    text: string,
    request: Pick<DetectionRequest, 'transport' | 'caller'>,
  ): Promise<SourceReport>;
  /** Whether a caller may hear of the project with this root. */
  mayName(root: string, transport: Transport): boolean;
  /** Whether it is worth naming to a caller: one that may be heard of, and is still there. */
  maySuggest(root: string, transport: Transport): boolean;
  /** What git says of a project, as far as the caller may hear of it. */
  git(root: string, transport: Transport): GitIdentity | undefined;
  /** The disk by which to look into a project. */
  diskOf(root: string, transport: Transport): Disk;
  /**
   * Asked once more after a call's work: the project's directory may have been replaced meanwhile, and what was read may be
   * from there. Undefined if all is well, or if no limit holds for it.
   */
  recheck(found: FoundProject, transport: Transport): RefusedReport | undefined;
  /** What a URL's parameter would come to. */
  checkQuery(value: QueryPath): SourceReport;
  /** What the working directory, or the one given at the start, comes to; to be asked before serving. */
  checkCwd(): SourceReport;
}

const SETTLED = 'not asked: a more trusted source has spoken';

export function createDetector(options: DetectorOptions): Detector {
  const { environment, projectFromCwd, givenAtStart: given, logger, findByName = async () => [] } = options;
  const allowed = createAllowedRoots(options.allowProjectRoot ?? []);
  const cwd = options.cwd ?? workingDirectory;
  const log = createDetectionLog(logger);
  const findPlaces = createPlaceFinder(systemClock);

  // Only clients from elsewhere are limited: over stdio the user's own program asks.
  const limitOf = (transport: Transport): AllowedRoots => (transport === 'http' ? allowed : NO_LIMIT);

  const readEnv = (): Environment | undefined => {
    try {
      return environment();
    } catch {
      return undefined;
    }
  };

  const rulesFor = (
    { transport, caller }: Pick<DetectionRequest, 'transport' | 'caller'>,
    env: Environment | undefined,
  ): SourceRules => ({
    places: findPlaces(env ?? {}),
    limit: limitOf(transport),
    findPushed: async (name) =>
      caller === undefined || transport !== 'http' ? [] : ((await options.findPushed?.(name, caller)) ?? []),
  });

  const detect = async (request: DetectionRequest): Promise<Detection> => {
    const { transport, argument, switched, roots, explain = false } = request;
    const env = readEnv();
    const rules = rulesFor(request, env);
    const { places } = rules;
    const knownEnv = (): Environment => env ?? failUnreadable();
    const start = { client: request.client, env: env ?? {} };

    const sources: readonly (readonly [ProjectSource, () => SourceReport | Promise<SourceReport>])[] = [
      [
        'argument',
        () =>
          argument === undefined
            ? nothing('argument', 'no project argument', 'not given')
            : reportNamed('argument', argument, rules, findByName),
      ],
      [
        'switched',
        () =>
          switched === undefined
            ? nothing('switched', 'no project was chosen with switch_project', 'not given')
            : reportNamed('switched', switched, rules, findByName),
      ],
      [
        'roots',
        async () =>
          roots === undefined
            ? nothing('roots', 'this client has no roots', 'not given')
            : reportRoots(await roots(), rules, log.skippedRoot),
      ],
      ['client_meta', () => reportClientMeta(request.meta, rules)],
      ['query_param', () => reportQuery(request.query, rules)],
      ['env', () => reportEnv({ env: knownEnv(), transport, ...rules, onUnusable: log.unusableVariable })],
      ['cwd', () => reportCwd({ given, cwd: cwd(), projectFromCwd, transport, places, start })],
      ['pwd', () => reportPwd({ pwd: knownEnv()['PWD'], cwd: cwd(), transport, places, start })],
    ];

    const reports: SourceReport[] = [];
    let decisive: SourceReport | undefined;
    let lookOn = true;
    for (const [source, report] of sources) {
      const settled = decisive !== undefined;
      // Asking for roots makes the client work and the call wait: not done for a project that was named.
      const isCostly = source === 'roots' && (!explain || argument !== undefined);
      // A bad URL is an error whichever source wins, so that one is always looked at.
      const skip: boolean = settled && source !== 'query_param' && (isCostly || !lookOn);
      const told: RootsAnswer | undefined =
        skip && source === 'roots' && lookOn ? request.knownRoots?.() : undefined;
      const look: typeof report = told === undefined ? report : () => reportRoots(told, rules);
      const said: SourceReport =
        skip && told === undefined ? nothing(source, SETTLED, 'not asked') : await ask(source, look);
      reports.push(said);
      if (settled || said.kind === 'nothing') continue;
      decisive = said;
      // The others are asked for an explanation, or if they may disagree in a way that was not logged yet.
      lookOn = explain || log.mayDisagree(said, () => lowerFacts(request, env, cwd()));
    }
    const detection = decideProject(reports);
    if (detection.kind === 'found') log.disagreements(detection.disagreements);
    return detection;
  };

  return {
    detect,
    name: (source, text, request) => reportNamed(source, text, rulesFor(request, readEnv()), findByName),
    mayName: (root, transport) => limitOf(transport).allows(root),
    maySuggest: (root, transport) => limitOf(transport).allows(root) && isThere(root, limitOf(transport)),
    git(root, transport) {
      if (isPushedRoot(root)) return undefined;
      const disk = limitOf(transport).diskOf(root);
      return readGitIdentity(findTree(root, disk) ?? root, disk);
    },
    diskOf: (root, transport) => limitOf(transport).diskOf(root),
    recheck({ project: { root }, source }, transport) {
      if (isPushedRoot(root)) return undefined;
      const disk = limitOf(transport).diskOf(root);
      if (!disk.limited) return undefined;
      const named = resolveNamedDirectory(root, findPlaces(readEnv() ?? {}), disk);
      if (named.kind === 'project' && named.project.root === root) return undefined;
      return named.kind === 'unusable' ? refused(source, named.message) : forbidden(source, root);
    },
    checkQuery: (value) =>
      // What no path is may be the name of a pushed project: the call itself finds out.
      typeof value === 'string' && options.findPushed !== undefined && !isAbsolute(value) && value.includes('/')
        ? nothing('query_param', 'not a path')
        : reportQueryParam(value, rulesFor({ transport: 'http' }, readEnv())),
    checkCwd: () =>
      reportCwd({
        given,
        cwd: cwd(),
        projectFromCwd,
        transport: 'cli',
        places: findPlaces(readEnv() ?? {}),
      }),
  };
}

/** All that the less trusted sources go by. */
function lowerFacts(
  { meta = {}, query, switched, knownRoots, client }: DetectionRequest,
  env: Environment | undefined,
  cwd: string | undefined,
): readonly unknown[] {
  return [
    switched,
    knownRoots?.(),
    meta[CODEX_META],
    meta[GOOSE_META],
    query,
    ...PROJECT_VARIABLES.map((name) => env?.[name]),
    env?.['PWD'],
    cwd,
    client,
  ];
}

function failUnreadable(): never {
  throw new Error('the environment cannot be read');
}

/** A source that breaks says nothing; it never breaks the call. InputNeeded, which asks the client, passes. */
async function ask(
  source: ProjectSource,
  report: () => SourceReport | Promise<SourceReport>,
): Promise<SourceReport> {
  try {
    return await report();
  } catch (thrown) {
    if (thrown instanceof InputNeeded) throw thrown;
    // A project was named outright: to guess on would be to answer from another one.
    if (source === 'argument' || source === 'switched') {
      return refused(source, 'The project could not be looked up by its name. Pass its absolute path.');
    }
    return nothing(source, 'this source failed');
  }
}
