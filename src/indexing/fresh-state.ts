/** How the index stands beside the files, so that no answer has to lie about its age. */

export type FreshState =
  | { readonly kind: 'fresh' }
  /** This process is indexing what changed. `total` is 0 until it is known. */
  | { readonly kind: 'updating'; readonly done: number; readonly total: number }
  /** Files came, went or changed since they were indexed. */
  | {
      readonly kind: 'changed';
      readonly count: number;
      /** Some of them. */
      readonly paths: readonly string[];
    }
  /** It cannot be said: there are more files than we look at, or looking failed. */
  | { readonly kind: 'unknown'; readonly why: 'too_many_files' | 'look_failed' };

/** In one word or sentence, for answers: `fresh`, `updating (40 %)`, `stale: …`. */
export function renderFreshState(state: FreshState): string {
  switch (state.kind) {
    case 'fresh':
      return 'fresh';
    case 'updating':
      return state.total === 0 ? 'updating' : `updating (${Math.floor((100 * state.done) / state.total)} %)`;
    case 'changed':
      return `stale: ${state.count} ${state.count === 1 ? 'file' : 'files'} changed since the last index`;
    case 'unknown':
      return state.why === 'too_many_files'
        ? 'stale: too many files to tell what changed'
        : 'stale: the files could not be looked at';
  }
}
