/** What a project is and how we came to know it. */

export const PROJECT_SOURCES = [
  'argument',
  'switched',
  'roots',
  'client_meta',
  'query_param',
  'env',
  'cwd',
  'pwd',
] as const;
export type ProjectSource = (typeof PROJECT_SOURCES)[number];

export interface Project {
  /** Canonical real path of the project's root: its identity. */
  readonly root: string;
  /** Basename of the root, for display only. */
  readonly name: string;
}

/** What one source had to say: a directory, or why it has none. */
export type SourceReport =
  | {
      readonly kind: 'found';
      readonly source: ProjectSource;
      readonly project: Project;
      readonly via: string;
    }
  | { readonly kind: 'nothing'; readonly source: ProjectSource; readonly reason: string };

export type Detection =
  | {
      readonly kind: 'found';
      readonly project: Project;
      readonly source: ProjectSource;
      readonly reports: readonly SourceReport[];
    }
  | { readonly kind: 'none'; readonly reports: readonly SourceReport[] };
