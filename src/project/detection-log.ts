/** What is worth a line in the log while projects are found, each thing once. */
import type { Disagreement, Logger, SourceReport } from '../core/index.ts';

export interface DetectionLog {
  /** One line per distinct disagreement, however often it is met. */
  disagreements(met: readonly Disagreement[]): void;
  /**
   * Whether less trusted sources have to be asked to know if they disagree: not if the same winner has met the same facts
   * before. What changes on disk in between can only cost a line here, never a decision.
   */
  mayDisagree(winner: SourceReport, facts: () => readonly unknown[]): boolean;
  skippedRoot(root: number, reason: string): void;
  /** Our own variable was set on purpose: whoever set it hears once that it does not work. */
  unusableVariable(name: string, message: string): void;
}

/** Beyond these the oldest are forgotten: a line may come twice then, but none is ever held back. */
const MAX_KEPT = 500;
const MAX_LOGGED = 10_000;
/** Longer keys are not worth their memory; whoever sends them pays with a little time. */
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
      // A refusal is no project that another could differ from, and without a log nobody hears of it.
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
