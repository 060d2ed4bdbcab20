/** The catalogue of projects this user has worked in. */

export interface KnownProject {
  /** Canonical real path of the root: the identity. */
  readonly root: string;
  /** Basename of the root; several projects may share one. */
  readonly name: string;
  /** When it was last used, in milliseconds since the epoch. */
  readonly seenAt: number;
}

export interface CatalogStore {
  /** Adds the project, or updates the name and time of the one with this root. */
  remember(project: KnownProject): Promise<void>;
  /** Most recently seen first. */
  list(options: { readonly limit: number }): Promise<readonly KnownProject[]>;
  /** Every project with exactly this name, most recently seen first. */
  byName(name: string): Promise<readonly KnownProject[]>;
  /** True if the project was known. */
  forget(root: string): Promise<boolean>;
  close(): Promise<void>;
}
