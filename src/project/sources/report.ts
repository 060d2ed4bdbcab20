/** Short ways of saying what a source found. */
import type { ProjectSource, SourceReport } from '../../core/index.ts';
import type { NamedDirectory } from '../identity.ts';

/** What a source may look at, and the limits it keeps to. */
export interface SourceRules {
  readonly home: string;
  /** Whether this caller may name a project at this real path. */
  readonly allows: (realRoot: string) => boolean;
}

export function nothing(source: ProjectSource, reason: string): SourceReport {
  return { kind: 'nothing', source, reason };
}

export function refused(
  source: ProjectSource,
  message: string,
  why: 'unusable' | 'forbidden' = 'unusable',
): SourceReport {
  return { kind: 'refused', source, message, why };
}

export type NamedProject = Extract<NamedDirectory, { kind: 'project' }>;

export function found(source: ProjectSource, named: NamedProject, via: string, weak = false): SourceReport {
  return { kind: 'found', source, project: named.project, via, weak, vcs: named.vcs };
}

/** A project that a caller named, unless it lies where this caller may not go. */
export function foundIfAllowed(
  source: ProjectSource,
  named: NamedProject,
  via: string,
  rules: SourceRules,
): SourceReport {
  if (rules.allows(named.project.root)) return found(source, named, via);
  return refused(
    source,
    `Project path is outside the folders this server allows: ${named.project.root}`,
    'forbidden',
  );
}
