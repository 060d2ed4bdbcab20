/** From a path somebody named to a project's identity: the canonical real path of its root. */
import { basename, isAbsolute } from 'node:path';
import type { Project } from '../core/index.ts';
import { WHOLE_DISK, type Disk } from '../workspace/index.ts';
import { findMarkedRoot, findVcsRoot, hasOwnMarker } from './markers.ts';
import { whyNeverProject } from './never-projects.ts';
import type { Places } from './places.ts';

export type NamedDirectory =
  | {
      readonly kind: 'project';
      readonly project: Project;
      readonly vcs: boolean;
      readonly marker: string | undefined;
      /** The real path that was named, where the project is the version-controlled tree around it. */
      readonly inside?: string;
    }
  | { readonly kind: 'unusable'; readonly message: string }
  /** Not in the part of the disk that may be looked at. */
  | { readonly kind: 'outside'; readonly message: string };

const OUTSIDE: NamedDirectory = { kind: 'outside', message: 'outside the folders this server allows' };

/** Takes a directory as given (no walking up), or says why it cannot be a project. */
export function resolveNamedDirectory(path: string, places: Places, disk: Disk = WHOLE_DISK): NamedDirectory {
  if (path.includes('\0')) return unusable('Project path contains a NUL character');
  if (!isAbsolute(path)) return unusable(`Project path must be absolute: ${path}`);
  const seen = disk.look(path);
  switch (seen.kind) {
    case 'outside':
      return OUTSIDE;
    case 'missing':
      return unusable(`Project path does not exist: ${path}`);
    case 'file':
      return unusable(`Project path is not a directory: ${path}`);
    case 'directory':
      return toNamed(seen.real, places);
  }
}

/**
 * Takes a directory as given if it has a marker of its own or no version control around it; otherwise the tree it lies in
 * is meant: agents send the folder they were started in.
 */
export function resolveOpenDirectory(path: string, places: Places, disk: Disk = WHOLE_DISK): NamedDirectory {
  const named = resolveNamedDirectory(path, places, disk);
  if (named.kind !== 'project' || hasOwnMarker(named.project.root, disk)) return named;
  const { root } = named.project;
  const tree = findVcsRoot(root, places.home, disk);
  const around = tree === undefined ? named : toNamed(tree, places);
  return around.kind === 'project' && tree !== undefined ? { ...around, vcs: true, inside: root } : named;
}

/** Walks up from a directory to the nearest VCS root, else the nearest manifest. */
export function resolveMarkedDirectory(
  path: string,
  places: Places,
  disk: Disk = WHOLE_DISK,
): NamedDirectory {
  if (!isAbsolute(path) || path.includes('\0')) return unusable(`not an absolute path: ${path}`);
  const seen = disk.look(path);
  if (seen.kind === 'outside') return OUTSIDE;
  if (seen.kind !== 'directory') return unusable(`does not exist: ${path}`);
  const marked = findMarkedRoot(seen.real, places.home, disk);
  // What is above the part that may be looked at may be the project or not: to guess on could answer from another one.
  if (marked === undefined && disk.limited) return OUTSIDE;
  if (marked === undefined)
    return unusable(`${seen.real} is not inside a project (no .git or manifest at or above it)`);
  const named = toNamed(marked.root, places);
  return named.kind === 'project' ? { ...named, vcs: marked.kind === 'vcs', marker: marked.marker } : named;
}

function toNamed(root: string, places: Places): NamedDirectory {
  const never = whyNeverProject(root, places);
  if (never !== undefined) return unusable(`${root} is never a project: ${never}`);
  return { kind: 'project', project: { root, name: basename(root) }, vcs: false, marker: undefined };
}

function unusable(message: string): NamedDirectory {
  return { kind: 'unusable', message };
}
