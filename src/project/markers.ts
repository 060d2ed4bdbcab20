/** Finds the project a directory lies in, by the files that mark a project's root. */
import { dirname, join, parse } from 'node:path';
import { pathKind } from '../platform/index.ts';

const VCS_MARKERS = ['.git', '.hg', '.jj'] as const;
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

export interface MarkedRoot {
  readonly root: string;
  readonly marker: string;
  readonly kind: 'vcs' | 'manifest';
}

/**
 * The nearest VCS root at or above `start`, else the nearest manifest. The walk stops at the home directory and at the
 * file system's root; neither counts, so that a stray package.json in a home never turns the whole home into a project.
 */
export function findMarkedRoot(start: string, home: string): MarkedRoot | undefined {
  let manifest: MarkedRoot | undefined;
  for (let folder = start; folder !== home && folder !== parse(folder).root; folder = dirname(folder)) {
    const vcs = VCS_MARKERS.find((name) => pathKind(join(folder, name)) !== 'missing');
    if (vcs !== undefined) return { root: folder, marker: vcs, kind: 'vcs' };
    const file = MANIFEST_MARKERS.find((name) => pathKind(join(folder, name)) === 'file');
    if (file !== undefined) manifest ??= { root: folder, marker: file, kind: 'manifest' };
  }
  return manifest;
}
