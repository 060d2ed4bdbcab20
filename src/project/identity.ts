/** From a path somebody named to a project's identity: the canonical real path of its root. */
import { basename, isAbsolute } from 'node:path';
import type { Project } from '../core/index.ts';
import { pathKind, realPath } from '../platform/index.ts';
import { findMarkedRoot } from './markers.ts';
import { whyNeverProject } from './never-projects.ts';
import type { Places } from './places.ts';

export type NamedDirectory =
  | {
      readonly kind: 'project';
      readonly project: Project;
      readonly vcs: boolean;
      readonly marker: string | undefined;
    }
  | { readonly kind: 'unusable'; readonly message: string };

/** Takes a directory as given (no walking up), or says why it cannot be a project. */
export function resolveNamedDirectory(path: string, places: Places): NamedDirectory {
  if (path.includes('\0')) return unusable('Project path contains a NUL character');
  if (!isAbsolute(path)) return unusable(`Project path must be absolute: ${path}`);
  switch (pathKind(path)) {
    case 'missing':
      return unusable(`Project path does not exist: ${path}`);
    case 'file':
      return unusable(`Project path is not a directory: ${path}`);
    case 'directory':
  }
  const root = realPath(path);
  return root === undefined ? unusable(`Project path does not exist: ${path}`) : toNamed(root, places);
}

/** Walks up from a directory to the nearest VCS root, else the nearest manifest. */
export function resolveMarkedDirectory(path: string, places: Places): NamedDirectory {
  if (!isAbsolute(path)) return unusable(`not an absolute path: ${path}`);
  const real = realPath(path);
  if (real === undefined || pathKind(real) !== 'directory') return unusable(`does not exist: ${path}`);
  const marked = findMarkedRoot(real, places.home);
  if (marked === undefined)
    return unusable(`${real} is not inside a project (no .git or manifest at or above it)`);
  const named = toNamed(marked.root, places);
  return named.kind === 'unusable' ? named : { ...named, vcs: marked.kind === 'vcs', marker: marked.marker };
}

function toNamed(root: string, places: Places): NamedDirectory {
  const never = whyNeverProject(root, places);
  if (never !== undefined) return unusable(`${root} is never a project: ${never}`);
  return { kind: 'project', project: { root, name: basename(root) }, vcs: false, marker: undefined };
}

function unusable(message: string): NamedDirectory {
  return { kind: 'unusable', message };
}
