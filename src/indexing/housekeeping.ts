/** Which indexes may go: those of projects that are gone, of other releases, and the least used beyond the cap. Pure. */
import type { IndexFileFacts } from '../storage/index.ts';

export interface KeptIndex extends IndexFileFacts {
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
  /** Files that must stay. */
  readonly inUse: ReadonlySet<string>;
  /** `asked`: what is gone goes at once. `quiet`: a disk may only be unplugged, so it goes when long unused. */
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

export function planHousekeeping(kept: readonly KeptIndex[], rules: HousekeepingRules): readonly Removal[] {
  const candidates = kept.filter(({ file }) => !rules.inUse.has(file));
  const expired = candidates.flatMap((index): readonly Removal[] => {
    const reason = whyUseless(index);
    if (reason === undefined) return [];
    const keepMs = reason === 'project_gone' && rules.mode === 'asked' ? 0 : KEEP_MS[reason];
    return rules.now - index.usedAt >= keepMs ? [{ index, reason }] : [];
  });
  const gone = new Set(expired.map(({ index }) => index.file));
  let bytes = sum(kept.filter(({ file }) => !gone.has(file)));
  const overLimit: Removal[] = [];
  for (const index of candidates.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (rules.limitBytes === 0 || bytes <= rules.limitBytes) break;
    if (gone.has(index.file)) continue;
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
