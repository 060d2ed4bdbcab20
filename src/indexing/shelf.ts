/** All indexes of this machine's user: which there are, and keeping them within bounds. */
import { AppError, type Clock, type Logger } from '../core/index.ts';
import { pathKind } from '../platform/index.ts';
import { indexKey, type IndexFileFacts, type KnownProject } from '../storage/index.ts';
import { planHousekeeping, type HousekeepingRules, type KeptIndex, type Removal } from './housekeeping.ts';

export interface ShelfParts {
  readonly files: () => readonly IndexFileFacts[];
  /** Throws `storage_busy` if anyone has it open. */
  readonly removeFile: (file: string) => Promise<boolean>;
  readonly known: () => Promise<readonly KnownProject[]>;
  readonly limitBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Shelf {
  /** Most recently used first. */
  list(): Promise<readonly KeptIndex[]>;
  /** Removes what may go; the answer is what went. Whatever is open anywhere stays. */
  tidy(mode: HousekeepingRules['mode']): Promise<readonly Removal[]>;
}

export function createShelf({ files, removeFile, known, limitBytes, clock, logger }: ShelfParts): Shelf {
  const list = async (): Promise<readonly KeptIndex[]> => {
    const projects = new Map((await known()).map((project) => [indexKey(project.root), project]));
    return files()
      .map((facts) => toKept(facts, projects.get(facts.key)))
      .toSorted((a, b) => b.usedAt - a.usedAt);
  };
  return {
    list,
    async tidy(mode) {
      const removed: Removal[] = [];
      const inUse = new Set<string>();
      for (let round = 0; round < 2; round += 1) {
        const before = inUse.size;
        for (const removal of planHousekeeping(await list(), { mode, inUse, limitBytes, now: clock.now() })) {
          try {
            if (await removeFile(removal.index.file)) removed.push(removal);
          } catch (thrown) {
            const reason = thrown instanceof AppError ? thrown.code : 'unknown';
            logger.debug('an index could not be removed', { file: removal.index.file, reason });
            inUse.add(removal.index.file);
          }
        }
        // What is open somewhere stays, and another one may have to go in its place.
        if (inUse.size === before) break;
      }
      return removed;
    },
  };
}

function toKept(facts: IndexFileFacts, project: KnownProject | undefined): KeptIndex {
  return {
    ...facts,
    root: project?.root,
    name: project?.name,
    // What another release wrote is not used by using the project with this one.
    usedAt: facts.kind === 'current' ? Math.max(facts.modifiedAt, project?.seenAt ?? 0) : facts.modifiedAt,
    isGone: project !== undefined && pathKind(project.root) !== 'directory',
  };
}
