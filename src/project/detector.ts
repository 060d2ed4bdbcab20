/** Asks the sources that a call has and lets the chain decide. Each call is evaluated afresh; nothing is kept between calls. */
import {
  InputNeeded,
  type Detection,
  type Disagreement,
  type Logger,
  type ProjectSource,
  type SourceReport,
} from '../core/index.ts';
import { homeDirectory, workingDirectory } from '../platform/index.ts';
import { createAllowedRoots } from './allowed-roots.ts';
import { decideProject } from './chain.ts';
import { reportNamed, type FindByName } from './sources/argument.ts';
import { reportClientMeta } from './sources/client-meta.ts';
import { reportCwd, reportPwd, type Transport } from './sources/cwd.ts';
import { reportEnv } from './sources/env.ts';
import { reportQueryParam } from './sources/query-param.ts';
import { nothing, refused, type SourceRules } from './sources/report.ts';
import { reportRoots, type RootsAnswer } from './sources/roots.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface DetectorOptions {
  /** Read on every call, so that a changed variable counts at once. */
  readonly environment: () => Environment;
  readonly projectFromCwd: boolean;
  /** Folders that HTTP clients may name projects in; empty means no limit. */
  readonly allowProjectRoot?: readonly string[];
  readonly findByName?: FindByName;
  readonly logger?: Logger;
  /** The working directory; the process's own by default. */
  readonly cwd?: () => string | undefined;
}

/** What a call brings along. Whatever is left out has nothing to say. */
export interface DetectionRequest {
  readonly transport: Transport;
  readonly argument?: string | undefined;
  readonly switched?: string | undefined;
  /** Asked only if nobody more trusted has spoken. */
  readonly roots?: (() => Promise<RootsAnswer>) | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: string | undefined;
  /** Ask every source, to explain; a call that only wants an answer does not pay for that. */
  readonly explain?: boolean;
}

export interface Detector {
  detect(request: DetectionRequest): Promise<Detection>;
  /** What naming a project outright would come to. */
  name(source: 'argument' | 'switched', text: string, transport: Transport): Promise<SourceReport>;
  /** What a URL's parameter would come to. */
  checkQuery(value: string): SourceReport;
  /** What the working directory comes to; to be asked before serving with --project-from-cwd. */
  checkCwd(): SourceReport;
}

export function createDetector(options: DetectorOptions): Detector {
  const { environment, projectFromCwd, logger, findByName = async () => [] } = options;
  const allowed = createAllowedRoots(options.allowProjectRoot ?? []);
  const cwd = options.cwd ?? workingDirectory;
  const logDisagreements = createDisagreementLog(logger);
  const warnUnusable = createVariableWarning(logger);

  const rulesFor = (transport: Transport): SourceRules => ({
    home: homeDirectory(),
    // Only clients from elsewhere are limited: over stdio the user's own program asks.
    allows: transport === 'http' ? (root) => allowed.allows(root) : () => true,
  });

  const askRoots = async (request: DetectionRequest, rules: SourceRules): Promise<SourceReport> => {
    if (request.roots === undefined) return nothing('roots', 'this client has no roots');
    return reportRoots(await request.roots(), rules);
  };

  return {
    async detect(request) {
      const { transport, argument, switched } = request;
      const rules = rulesFor(transport);
      const strong = [
        argument === undefined
          ? nothing('argument', 'no project argument')
          : await ask('argument', () => reportNamed('argument', argument, rules, findByName)),
        switched === undefined
          ? nothing('switched', 'no project was chosen with switch_project')
          : await ask('switched', () => reportNamed('switched', switched, rules, findByName)),
      ];
      const settled = strong.some((report) => report.kind !== 'nothing') && request.explain !== true;
      const detection = decideProject([
        ...strong,
        settled
          ? nothing('roots', 'not asked: a more trusted source has spoken')
          : await ask('roots', () => askRoots(request, rules)),
        await ask('client_meta', () => reportClientMeta(request.meta, rules)),
        await ask('query_param', () => reportQueryParam(request.query, rules)),
        await ask('env', () => reportEnv(environment(), rules.home, warnUnusable)),
        await ask('cwd', () => reportCwd({ cwd: cwd(), projectFromCwd, transport, home: rules.home })),
        await ask('pwd', () =>
          reportPwd({ pwd: environment()['PWD'], cwd: cwd(), transport, home: rules.home }),
        ),
      ]);
      if (detection.kind === 'found') logDisagreements(detection.disagreements);
      return detection;
    },
    name: (source, text, transport) => reportNamed(source, text, rulesFor(transport), findByName),
    checkQuery: (value) => reportQueryParam(value, rulesFor('http')),
    checkCwd: () => reportCwd({ cwd: cwd(), projectFromCwd, transport: 'cli', home: homeDirectory() }),
  };
}

/** A source that breaks says nothing; it never breaks the call. Whoever has to ask the client for more is let through. */
async function ask(
  source: ProjectSource,
  report: () => SourceReport | Promise<SourceReport>,
): Promise<SourceReport> {
  try {
    return await report();
  } catch (thrown) {
    if (thrown instanceof InputNeeded) throw thrown;
    // Somebody named a project outright: to guess on would be to answer from another one.
    if (source === 'argument' || source === 'switched') {
      return refused(source, 'The project could not be looked up by its name. Pass its absolute path.');
    }
    return nothing(source, 'this source failed');
  }
}

/** Our own variable was set on purpose: whoever set it hears once that it does not work. */
function createVariableWarning(logger: Logger | undefined): (name: string, message: string) => void {
  const warned = new Set<string>();
  return (name, message) => {
    if (name !== 'WAYMARK_PROJECT' || warned.has(message) || warned.size >= MAX_LOGGED) return;
    warned.add(message);
    logger?.warn('WAYMARK_PROJECT is passed over', { reason: message });
  };
}

const MAX_LOGGED = 500;

/** One line per distinct disagreement, however often it is met. */
function createDisagreementLog(logger: Logger | undefined): (disagreements: readonly Disagreement[]) => void {
  const logged = new Set<string>();
  return (disagreements) => {
    for (const { winner, loser } of disagreements) {
      const key = [winner.source, winner.project.root, loser.source, loser.project.root].join('\0');
      if (logged.has(key) || logged.size >= MAX_LOGGED) continue;
      logged.add(key);
      logger?.info('sources name different projects', {
        winner: winner.source,
        winnerPath: winner.project.root,
        loser: loser.source,
        loserPath: loser.project.root,
      });
    }
  };
}
