/** From a path to a project's identity: the canonical real path of its root. Which files mark a root, and what never is one. */
import nodePath, { basename, dirname, isAbsolute, join, parse, sep, type PlatformPath } from 'node:path';
import type { Project } from '../core/index.ts';
import { homeDirectory } from '../platform/index.ts';
import { isGitRoot, WHOLE_DISK, type Disk } from '../workspace/index.ts';
import { isInside, type Places } from './places.ts';

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

/** The version-controlled tree a project lies in, itself included; none that can never be a project. */
export function findTree(project: string, disk: Disk = WHOLE_DISK): string | undefined {
  const home = homeDirectory();
  const tree = findVcsRoot(project, home, disk);
  return tree === undefined || whyNeverProject(tree, { home, caches: [] }) !== undefined ? undefined : tree;
}

function toNamed(root: string, places: Places): NamedDirectory {
  const never = whyNeverProject(root, places);
  if (never !== undefined) return unusable(`${root} is never a project: ${never}`);
  return { kind: 'project', project: { root, name: basename(root) }, vcs: false, marker: undefined };
}

function unusable(message: string): NamedDirectory {
  return { kind: 'unusable', message };
}

/** Folders of version control and what each holds if it is one and not merely called so. */
const VCS_FOLDERS = [
  { name: '.hg', holds: ['store', 'requires'] },
  { name: '.jj', holds: ['repo'] },
  { name: '.svn', holds: ['wc.db'] },
] as const;
const MANIFEST_MARKERS = [
  '.waymark.json',
  'package.json',
  'pyproject.toml',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'CMakeLists.txt',
  'deno.json',
  'pubspec.yaml',
  'Package.swift',
] as const;
/** Every package in these has a manifest, and none of them is a project. */
const INSTALLED = /^(?:node_modules|site-packages)$/;

interface MarkedRoot {
  readonly root: string;
  readonly marker: string;
  readonly kind: 'vcs' | 'manifest';
}

/**
 * The nearest VCS root at or above `start` (a real path), else the nearest manifest. The walk stops at the home directory
 * and at the file system's root; neither counts, so that a stray package.json in a home never turns the whole home into a
 * project.
 */
export function findMarkedRoot(start: string, home: string, disk: Disk = WHOLE_DISK): MarkedRoot | undefined {
  let manifest: MarkedRoot | undefined;
  for (let folder = start; folder !== home && folder !== parse(folder).root; folder = dirname(folder)) {
    const vcs = findVcs(folder, disk);
    if (vcs !== undefined) return { root: folder, marker: vcs.marker, kind: vcs.kind };
    manifest ??= findManifest(folder, disk);
  }
  return manifest;
}

/** Whether a directory is marked as a project itself, whatever lies around it. */
function hasOwnMarker(folder: string, disk: Disk = WHOLE_DISK): boolean {
  return findVcs(folder, disk) !== undefined || findManifest(folder, disk) !== undefined;
}

/** The version-controlled tree that a directory (a real path) lies in; the walk stops where findMarkedRoot() does. */
export function findVcsRoot(start: string, home: string, disk: Disk = WHOLE_DISK): string | undefined {
  for (let folder = start; folder !== home && folder !== parse(folder).root; folder = dirname(folder)) {
    const vcs = findVcs(folder, disk);
    // A marker that proves nothing still says that the project begins here: the tree around it is another one.
    if (vcs !== undefined) return vcs.kind === 'vcs' ? folder : undefined;
  }
  return undefined;
}

type Marker = Pick<MarkedRoot, 'marker' | 'kind'>;

function findVcs(folder: string, disk: Disk): Marker | undefined {
  switch (disk.kind(join(folder, '.git'))) {
    case 'missing':
      break;
    case 'directory':
      if (isGitRoot(folder, disk)) return { marker: '.git', kind: 'vcs' };
      // Git itself walks past an empty `.git`; a linked one says that a project is meant to begin here.
      if (disk.isLink(join(folder, '.git'))) return { marker: '.git', kind: 'manifest' };
      break;
    case 'file':
      // A worktree whose link is broken, or an archive that claims to be one. The project begins here either way: to walk
      // on would end in the repository around it. But nothing proves that it is version-controlled.
      return { marker: '.git', kind: isGitRoot(folder, disk) ? 'vcs' : 'manifest' };
  }
  const other = VCS_FOLDERS.find(
    ({ name, holds }) =>
      disk.kind(join(folder, name)) === 'directory' &&
      !disk.isLink(join(folder, name)) &&
      holds.some((part) => disk.kind(join(folder, name, part)) !== 'missing'),
  );
  return other === undefined ? undefined : { marker: other.name, kind: 'vcs' };
}

function findManifest(folder: string, disk: Disk): MarkedRoot | undefined {
  const marker = MANIFEST_MARKERS.find((name) => disk.kind(join(folder, name)) === 'file');
  if (marker === undefined || folder.split(sep).some((part) => INSTALLED.test(part))) return undefined;
  return { root: folder, marker, kind: 'manifest' };
}

/** Directly below the root of a file system or a drive; what is inside them may be a project. */
const SYSTEM_FOLDERS =
  /^(?:home|users|root|tmp|var|etc|usr|opt|bin|sbin|lib|lib64|dev|proc|sys|run|boot|private|applications|library|system|program files|program files \(x86\)|programdata)$/i;
/** With all that is in them. */
const SYSTEM_TREES = ['windows'];
const SHARED_TEMP = ['/var/tmp', '/private/tmp', '/private/var', '/dev/shm'];

/** Why this real path can never be a project, or undefined if it can. */
export function whyNeverProject(
  root: string,
  { home, caches }: Places,
  path: PlatformPath = nodePath,
): string | undefined {
  const { root: top } = path.parse(root);
  if (root === top) return 'it is the root of the file system';
  if (isInside(root, home, path) && isInside(home, root, path)) return 'it is the home directory itself';
  const [first = ''] = root.slice(top.length).split(path.sep);
  const isSystem = path.dirname(root) === top && SYSTEM_FOLDERS.test(first);
  const inSystem = path.sep === '\\' && SYSTEM_TREES.includes(first.toLowerCase());
  if (isSystem || inSystem || SHARED_TEMP.includes(root)) return 'it is a system directory';
  const cache = caches.find((folder) => isInside(root, folder, path));
  if (cache === undefined) return undefined;
  const shown = isInside(cache, home, path) ? `~${cache.slice(home.length)}` : cache;
  return `it lies in a folder of caches or plugins (${shown})`;
}
