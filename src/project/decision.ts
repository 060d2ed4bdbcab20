/** The chain: what every source said, in order of trust, becomes one decision; what is worth logging is logged once. */
import {
  PROJECT_SOURCES,
  type Detection,
  type Disagreement,
  type FoundReport,
  type Logger,
  type SourceReport,
} from '../core/index.ts';

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
