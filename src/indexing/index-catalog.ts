/** The catalog of all indexes of this user: lists them, and evicts what is useless or over the size limit. */
import { AppError, type Clock, type Logger } from '../core/index.ts';
import { pathKind } from '../platform/index.ts';
import type { IndexFacts, IndexStores, KnownProject } from '../storage/index.ts';

export interface IndexCatalogParts {
  readonly indexes: Pick<IndexStores, 'list' | 'removeById' | 'keyOf'>;
  /** Indexes of other machines are among them: what is not here may be there, so nothing goes by itself. */
  readonly isShared: boolean;
  readonly known: () => Promise<readonly KnownProject[]>;
  readonly limitBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface IndexCatalog {
  /** Most recently used first. */
  list(): Promise<readonly KeptIndex[]>;
  /** Removes what may go; the answer is what went. Whatever is open anywhere stays. */
  tidy(mode: HousekeepingRules['mode']): Promise<readonly Removal[]>;
}

export function createIndexCatalog({
  indexes,
  isShared,
  known,
  limitBytes,
  clock,
  logger,
}: IndexCatalogParts): IndexCatalog {
  const list = async (): Promise<readonly KeptIndex[]> => {
    const projects = new Map((await known()).map((project) => [indexes.keyOf(project.root), project]));
    return (await indexes.list())
      .map((facts) => toKept(facts, projects.get(facts.key)))
      .toSorted((a, b) => b.usedAt - a.usedAt);
  };
  return {
    list,
    async tidy(mode) {
      if (isShared) return [];
      const removed: Removal[] = [];
      const inUse = new Set<string>();
      for (let round = 0; round < 2; round += 1) {
        const before = inUse.size;
        for (const removal of planHousekeeping(await list(), { mode, inUse, limitBytes, now: clock.now() })) {
          try {
            if (await indexes.removeById(removal.index.id)) removed.push(removal);
          } catch (thrown) {
            const reason = thrown instanceof AppError ? thrown.code : 'unknown';
            logger.debug('an index could not be removed', { index: removal.index.id, reason });
            inUse.add(removal.index.id);
          }
        }
        // An open index stays, and another one may have to go in its place.
        if (inUse.size === before) break;
      }
      return removed;
    },
  };
}

function toKept(facts: IndexFacts, project: KnownProject | undefined): KeptIndex {
  return {
    ...facts,
    root: project?.root,
    name: project?.name,
    // This release does not use an index that another one wrote, so using the project does not count for it.
    usedAt: facts.kind === 'current' ? Math.max(facts.modifiedAt, project?.seenAt ?? 0) : facts.modifiedAt,
    isGone: project !== undefined && pathKind(project.root) !== 'directory',
  };
}

export interface KeptIndex extends IndexFacts {
  /** Undefined if no known project has this index. */
  readonly root: string | undefined;
  readonly name: string | undefined;
  /** When the project was last used, or the file last written if that is later or all that counts. */
  readonly usedAt: number;
  /** Whether the root is still there. */
  readonly isGone: boolean;
}

export type RemovalReason = 'project_gone' | 'other_release' | 'damaged' | 'unknown_project' | 'over_limit';

export interface Removal {
  readonly index: KeptIndex;
  readonly reason: RemovalReason;
}

export interface HousekeepingRules {
  readonly now: number;
  /** Of all indexes together; 0 means no limit. */
  readonly limitBytes: number;
  /** The ids of those that must stay. */
  readonly inUse: ReadonlySet<string>;
  /** `asked`: deletes indexes of missing projects now. `quiet`: waits, since the disk may only be unplugged. */
  readonly mode: 'asked' | 'quiet';
}

const DAY_MS = 24 * 3600 * 1000;
/** How long something without further use is kept, in case it is needed after all. */
const KEEP_MS = {
  project_gone: 30 * DAY_MS,
  other_release: 30 * DAY_MS,
  unknown_project: 90 * DAY_MS,
  damaged: 7 * DAY_MS,
} as const;

/** Which indexes may go: of projects that are gone, of other releases, and the least recently used beyond the limit. Pure. */
export function planHousekeeping(kept: readonly KeptIndex[], rules: HousekeepingRules): readonly Removal[] {
  const candidates = kept.filter(({ id }) => !rules.inUse.has(id));
  const expired = candidates.flatMap((index): readonly Removal[] => {
    const reason = whyUseless(index);
    if (reason === undefined) return [];
    const keepMs = reason === 'project_gone' && rules.mode === 'asked' ? 0 : KEEP_MS[reason];
    return rules.now - index.usedAt >= keepMs ? [{ index, reason }] : [];
  });
  const gone = new Set(expired.map(({ index }) => index.id));
  let bytes = sum(kept.filter(({ id }) => !gone.has(id)));
  const overLimit: Removal[] = [];
  for (const index of candidates.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (rules.limitBytes === 0 || bytes <= rules.limitBytes) break;
    if (gone.has(index.id)) continue;
    bytes -= index.sizeBytes;
    overLimit.push({ index, reason: 'over_limit' });
  }
  return [...expired, ...overLimit];
}

function whyUseless({ kind, root, isGone }: KeptIndex): keyof typeof KEEP_MS | undefined {
  if (kind === 'damaged') return 'damaged';
  if (isGone) return 'project_gone';
  if (kind === 'old') return 'other_release';
  return root === undefined ? 'unknown_project' : undefined;
}

function sum(kept: readonly KeptIndex[]): number {
  return kept.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}
