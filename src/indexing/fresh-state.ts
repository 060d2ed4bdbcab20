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
