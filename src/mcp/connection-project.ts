/** What one connection knows about its project: the choice made by hand, its roots, and whether the tip was given. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import {
  InputNeeded,
  type Clock,
  type Detection,
  type Logger,
  type Project,
  type RefusedReport,
  type GitIdentity,
} from '../core/index.ts';
import type { Detector, KnownProjects, RootsAnswer } from '../project/index.ts';
import { toNamedAnswer, type NamedAnswer } from '../tools/index.ts';
import { bareClientName } from './client-name.ts';
import type { Connection } from './connection.ts';
import { exchangeOf } from './http/exchange.ts';
import { createLegacyRoots } from './legacy-roots.ts';
import { readModernRoots } from './modern-roots.ts';

export interface ConnectionProjectParts {
  readonly detector: Detector;
  readonly known: KnownProjects;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tip: boolean;
}

export interface ConnectionProject {
  detect(
    context: ServerContext,
    params: unknown,
    more: {
      readonly argument?: string | undefined;
      readonly explain: boolean;
      /** Throws InputNeeded rather than ask the client. */
      readonly unasked?: boolean;
    },
  ): Promise<Detection>;
  name(text: string): Promise<NamedAnswer>;
  /** Known projects that this client may choose from, most recent first. */
  candidates(): Promise<readonly Project[]>;
  choose(project: Project): boolean;
  git(detection: Detection): GitIdentity | undefined;
  recheck(detection: Detection): RefusedReport | undefined;
  tipFor(detection: Detection): string | undefined;
}

const MAX_CANDIDATES = 10;
const TIP = 'Tip: Use Claude Code for automatic project detection';

export function createConnectionProject(
  server: Server,
  connection: Connection,
  parts: ConnectionProjectParts,
): ConnectionProject {
  const { detector, known, clock, logger } = parts;
  const transport = connection.transport === 'stdio' ? 'stdio' : 'http';
  const legacyRoots = connection.era === 'legacy' ? createLegacyRoots({ server, clock, logger }) : undefined;
  // A modern request stands alone, so nothing said in one may count in the next; only stdio remembers that it gave the tip.
  const keepsChoice = connection.era === 'legacy' && connection.keeps !== false;
  const givesTip = parts.tip && (connection.transport === 'stdio' || keepsChoice);
  let switched: string | undefined;
  let tipGiven = false;

  const readRoots = async (
    context: ServerContext,
    params: unknown,
    unasked: boolean,
  ): Promise<RootsAnswer> => {
    if (legacyRoots === undefined) return readModernRoots(context, params);
    if (!unasked) return legacyRoots.ask(context);
    const settled = legacyRoots.settled();
    if (settled === undefined) throw new InputNeeded();
    return settled;
  };

  return {
    async detect(context, params, { argument, explain, unasked = false }) {
      const exchange = exchangeOf(context.http?.req);
      const detection = await detector.detect({
        transport,
        argument,
        switched,
        roots: () => readRoots(context, params, unasked),
        knownRoots: () => legacyRoots?.known(),
        meta: context.mcpReq._meta,
        query: exchange?.projectPath,
        client: bareClientName(server, context),
        explain,
      });
      if (exchange !== undefined)
        exchange.note.projectSource = detection.kind === 'found' ? detection.source : detection.kind;
      if (detection.kind === 'found') known.remember(detection.project);
      return detection;
    },
    async name(text) {
      return toNamedAnswer(await detector.name('switched', text, transport));
    },
    candidates: () => known.list(MAX_CANDIDATES, (root) => detector.maySuggest(root, transport)),
    choose(project) {
      known.remember(project);
      if (keepsChoice) switched = project.root;
      return keepsChoice;
    },
    git: (detection) =>
      detection.kind === 'found' ? detector.git(detection.project.root, transport) : undefined,
    recheck: (detection) => (detection.kind === 'found' ? detector.recheck(detection, transport) : undefined),
    tipFor(detection) {
      const guessed = detection.kind === 'found' && ['env', 'cwd', 'pwd'].includes(detection.source);
      if (tipGiven || !givesTip || !guessed) return undefined;
      tipGiven = true;
      return TIP;
    },
  };
}
