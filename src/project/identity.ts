/** From a path somebody named to a project's identity: the canonical real path of its root. */
import { basename, isAbsolute } from 'node:path';
import type { Project } from '../core/index.ts';
import { pathKind, realPath } from '../platform/index.ts';
import { whyNeverProject } from './never-projects.ts';

export type NamedDirectory =
  | { readonly kind: 'project'; readonly project: Project }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Takes a directory as given (no walking up), or says why it cannot be a project. */
export function resolveNamedDirectory(path: string, home: string): NamedDirectory {
  if (path.includes('\0')) return unusable('the path contains a NUL character');
  if (!isAbsolute(path)) return unusable(`not an absolute path: ${path}`);
  switch (pathKind(path)) {
    case 'missing':
      return unusable(`does not exist: ${path}`);
    case 'file':
      return unusable(`not a directory: ${path}`);
    case 'directory':
  }
  const root = realPath(path);
  if (root === undefined) return unusable(`does not exist: ${path}`);
  const never = whyNeverProject(root, home);
  return never === undefined
    ? { kind: 'project', project: toProject(root) }
    : unusable(`${root} is never a project: ${never}`);
}

export function toProject(root: string): Project {
  return { root, name: basename(root) };
}

function unusable(reason: string): NamedDirectory {
  return { kind: 'unusable', reason };
}
