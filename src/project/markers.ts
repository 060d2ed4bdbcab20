/** Finds the project a directory lies in, by the files that mark a project's root. */
import { dirname, join, parse, sep } from 'node:path';
import { WHOLE_DISK, type Disk, isGitRoot } from '../workspace/index.ts';

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
/** Every package in these has a manifest, and none of them is what somebody works on. */
const INSTALLED = /^(?:node_modules|site-packages)$/;

export interface MarkedRoot {
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
export function hasOwnMarker(folder: string, disk: Disk = WHOLE_DISK): boolean {
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
      // Git itself walks past an empty `.git`; a linked one says that somebody meant a project to begin here.
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
