/** An index to answer from: little work is waited for; much work goes on in the background. */
import type { Background } from './background.ts';
import type { Following } from './following.ts';
import { toFreshness, type Freshness } from './freshness.ts';
import { PATIENCE } from './patience.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

export interface EnsureOptions extends Pick<WaitOptions, 'signal' | 'onProgress'> {
  /** False for a project that is only a guess: what is there may be read, nothing is written. */
  readonly mayWrite: boolean;
  /** `endless`: much work is waited for as well, by a process that ends with its answer: the work would end with it. */
  readonly patience?: 'usual' | 'endless';
}

export type Ensure = (root: string, options: EnsureOptions) => Promise<Freshness>;

export interface EnsureParts {
  /** Whether a call that needs an index may make one. */
  readonly autoIndex: 'auto' | 'never';
  readonly hasIndex: (root: string) => boolean;
  readonly background: Background;
  readonly following: Following;
}

export function createEnsure({ autoIndex, hasIndex, background, following }: EnsureParts): Ensure {
  /** What little changed is indexed at once; for more there is the job, which tells how far it is. */
  const isAtItsFiles = async (root: string): Promise<boolean> => {
    if (!hasIndex(root) || background.running(root) !== undefined) return false;
    const state = await following.check(root);
    if (state.kind === 'fresh') return true;
    const isMuch = state.kind === 'unknown' || (state.kind === 'changed' && state.count > PATIENCE.fewFiles);
    return !isMuch && (await following.catchUp(root, PATIENCE.fewMs)).kind === 'fresh';
  };

  return async (root, { signal, onProgress, mayWrite, patience = 'usual' }) => {
    if (autoIndex === 'never' || !mayWrite) {
      if (!hasIndex(root)) return { state: 'missing' };
      if ((await following.check(root)).kind === 'fresh') return { state: 'fresh' };
      return { state: 'stale', why: mayWrite ? 'automatic indexing is off' : 'the project is only a guess' };
    }
    if (await isAtItsFiles(root)) {
      following.follow(root);
      return { state: 'fresh' };
    }
    const job = background.start(root);
    // For good: whoever needs the index next is glad of it, even if this caller is gone.
    job.hold();
    const limits =
      patience === 'endless' ? { maxMs: Infinity } : { maxMs: PATIENCE.needMs, isWorth: isLittle };
    const end = await waitFor(job, { signal, onProgress, ...limits });
    if (end?.kind === 'done' || end?.kind === 'busy') following.follow(root);
    return toFreshness(job, end, hasIndex(root));
  };
}

function isLittle({ total, totalBytes }: { readonly total: number; readonly totalBytes: number }): boolean {
  return total <= PATIENCE.smallFiles && totalBytes <= PATIENCE.smallBytes;
}
