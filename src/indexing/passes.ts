/** Passes over a project: look where something changed, index the difference. One at a time, repeated until nothing is left. */
import type { IndexProgress } from './indexer.ts';
import type { TrackedProject } from './tracked-project.ts';
import type { WriterLock } from '../storage/index.ts';

export interface PassParts {
  readonly tracked: TrackedProject;
  readonly tryLock: () => Promise<WriterLock | undefined>;
  /** For projects with more files than are tracked. */
  readonly runAll: (signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
}

export interface PassOptions {
  /** Undefined: everywhere. */
  readonly paths: ReadonlySet<string> | undefined;
  /** Takes up watching of folders that came; returns those that were not watched before. */
  readonly watch?: () => readonly string[];
  readonly onProgress: (progress: IndexProgress) => void;
}

export type PassOutcome =
  /** The index is what the files were when they were looked at. */
  | { readonly kind: 'done'; readonly files: number; readonly unsettled: readonly string[] }
  /** Somebody else is writing the index. */
  | { readonly kind: 'busy' };

/** New folders can come while their neighbours are taken up; whoever makes them without end waits for the next pass. */
const MOST_ROUNDS = 5;
const FEW_FOLDERS = 100;

export async function runPass(parts: PassParts, options: PassOptions): Promise<PassOutcome> {
  const { tracked, signal } = parts;
  await tracked.look(options.paths, signal);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // First watched, then looked at: what happens in between is told or seen.
    const begun = options.watch?.() ?? [];
    if (begun.length === 0) break;
    const names = begun.map((path) => path.replace(/\/$/, ''));
    await tracked.look(begun.length > FEW_FOLDERS ? undefined : names, signal);
  }
  if (tracked.listing.isOverLimit()) {
    await parts.runAll(signal);
    return { kind: 'done', files: 0, unsettled: [] };
  }
  const { plan, hasOtherSkips } = await tracked.difference();
  if (plan.read.length + plan.gone.length === 0 && !hasOtherSkips)
    return { kind: 'done', files: 0, unsettled: [] };
  const lock = await parts.tryLock();
  if (lock === undefined) return { kind: 'busy' };
  try {
    return { kind: 'done', ...(await tracked.update(signal, options.onProgress)) };
  } finally {
    lock.release();
  }
}
