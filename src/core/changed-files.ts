/** Which files of a working tree are not as in a commit, or why that is unknown. */

export type ChangedFiles =
  | { readonly kind: 'told'; readonly paths: readonly string[] }
  | { readonly kind: 'untold'; readonly why: WhyUntold };

export type WhyUntold =
  | 'no_repository'
  /** A repository in which nothing was committed yet. */
  | 'no_commit'
  /** Git's index is missing, is not one that we can read, or has too many files. */
  | 'no_index'
  | 'no_branch'
  /** No commit was found that is in both histories. */
  | 'no_common_commit'
  /** The commit is there, but not all of its folders. */
  | 'not_all_here';
