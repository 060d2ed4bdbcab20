/** What a project is and how we came to know it. */

/** In order of trust: the first that yields a usable directory wins. */
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

export type Silence = 'not given' | 'not asked' | 'not used';

/** What one source had to say. */
export type SourceReport =
  | {
      readonly kind: 'found';
      readonly source: ProjectSource;
      readonly project: Project;
      /** What within the source said so: a variable's name, a marker, a root's position. */
      readonly via: string;
      /** A guess from where the process stands, not something anybody said. */
      readonly weak: boolean;
      /** Whether the root is that of a version control system: a weak guess at one is good enough to write to. */
      readonly vcs: boolean;
      /** Every folder the client has open, the project's among them; only roots tell. */
      readonly workspace?: readonly Project[];
    }
  | {
      readonly kind: 'nothing';
      readonly source: ProjectSource;
      readonly reason: string;
      /** It had nothing to be wrong about: to explain that is worth no line. */
      readonly silence?: Silence | undefined;
    }
  | {
      /** A source named a directory that must not or cannot be used: the call ends here, without a guess. */
      readonly kind: 'refused';
      readonly source: ProjectSource;
      readonly message: string;
      readonly why: 'unusable' | 'forbidden';
    };

export type FoundReport = Extract<SourceReport, { kind: 'found' }>;
export type RefusedReport = Extract<SourceReport, { kind: 'refused' }>;

export interface Disagreement {
  readonly winner: FoundReport;
  readonly loser: FoundReport;
}

interface Reported {
  /** What every source said, most trusted first. */
  readonly reports: readonly SourceReport[];
}

export interface FoundProject extends Reported {
  readonly kind: 'found';
  readonly project: Project;
  readonly source: ProjectSource;
  readonly via: string;
  readonly weak: boolean;
  readonly vcs: boolean;
  /** Less trusted sources that name another project. */
  readonly disagreements: readonly Disagreement[];
}

export type Detection =
  | FoundProject
  | (Reported & { readonly kind: 'none' })
  | (Reported & { readonly kind: 'refused'; readonly refused: RefusedReport });

/** Where a project stands: whose memory it shares, and where in history. */
export interface ProjectPlace {
  /** Canonical path of the working tree that the project lies in, else of the project: an entry's files are named from here. */
  readonly root: string;
  readonly name: string;
  /** Whose memory this is: the repository, shared by its worktrees, else the directory itself. */
  readonly identity: string;
  /** Where in the working tree the project lies, with forward slashes; empty if it is the whole tree. */
  readonly folder: string;
  /** This worktree's own git directory; undefined outside of a repository. */
  readonly gitDir?: string;
  readonly worktree?: string | undefined;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
}

/** What git's files say about a project. */
export interface GitIdentity {
  /** Shared by all worktrees of a repository: the identity of its memory. */
  readonly commonDir: string;
  /** The worktree's name; undefined for the main one. */
  readonly worktree: string | undefined;
  /** Undefined when no branch is checked out. */
  readonly branch: string | undefined;
  /** The URL of `origin`, without credentials. */
  readonly remote: string | undefined;
}
