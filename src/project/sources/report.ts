/** Short ways of saying what a source found. */
import type { FoundReport, ProjectSource, RefusedReport, Silence, SourceReport } from '../../core/index.ts';
import type { Disk } from '../../workspace/index.ts';
import type { AllowedRoots } from '../allowed-roots.ts';
import type { NamedDirectory } from '../identity.ts';
import type { Places } from '../places.ts';

/** What a source may look at, and the limits it keeps to. */
export interface SourceRules {
  readonly places: Places;
  /** What this caller may name. */
  readonly limit: AllowedRoots;
}

export function nothing(source: ProjectSource, reason: string, silence?: Silence): SourceReport {
  return { kind: 'nothing', source, reason, ...(silence === undefined ? {} : { silence }) };
}

export function refused(
  source: ProjectSource,
  message: string,
  why: 'unusable' | 'forbidden' = 'unusable',
): RefusedReport {
  return { kind: 'refused', source, message, why };
}

export type NamedProject = Extract<NamedDirectory, { kind: 'project' }>;

export function found(source: ProjectSource, named: NamedProject, via: string, weak = false): FoundReport {
  return { kind: 'found', source, project: named.project, via, weak, vcs: named.vcs };
}

/** The same words whether the path exists or not, and only the path that the caller knows already. */
export function forbidden(source: ProjectSource, path: string): RefusedReport {
  return refused(source, `Project path is outside the folders this server allows: ${path}`, 'forbidden');
}

/** Whether a known project was neither moved nor deleted. Asked only of one that may be named. */
export function isThere(root: string, limit: AllowedRoots): boolean {
  return limit.diskOf(root).kind(root) === 'directory';
}

/** What a caller's path came to, unless it lies where this caller may not go. */
export function resolveAllowed(
  path: string,
  resolve: (path: string, places: Places, disk: Disk) => NamedDirectory,
  { places, limit }: SourceRules,
): Exclude<NamedDirectory, { kind: 'outside' }> | 'forbidden' {
  // Whatever is said of the path comes from the part of the disk that this caller may know.
  const named = resolve(path, places, limit.disk);
  return named.kind === 'outside' ? 'forbidden' : named;
}
