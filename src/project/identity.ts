/** Which folder is a project: places that may name one, markers, and folders that never are. */
import nodePath from 'node:path';
import { type PlatformPath, basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import type { Clock, Project } from '../core/index.ts';
import { homeDirectory, realPath, resolveDots } from '../platform/index.ts';
import { createDiskBeneath, WHOLE_DISK, type Disk, isGitRoot } from '../workspace/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly home: string;
  /** Folders of package runners and plugins: neither they nor anything below is a project. */
  readonly caches: readonly string[];
}

interface Base {
  /** A variable that moves the folder elsewhere. */
  readonly variable?: string;
  /** Where it is otherwise, below the home directory; undefined if the variable alone says. */
  readonly usual?: string;
  readonly folders: readonly string[];
}

const EDITORS = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium', 'Antigravity'];
const EDITOR_STORAGE = EDITORS.flatMap((editor) => [
  `${editor}/User/globalStorage`,
  `${editor}/User/workspaceStorage`,
]);
const CLAUDE_EXTENSIONS = 'Claude/Claude Extensions';
const WHOLE = [''];

/** Written with forward slashes. Linux, macOS and Windows side by side: a home can be shared between them. */
const BASES: readonly Base[] = [
  {
    usual: '',
    folders: [
      '.npm',
      '.bun/install',
      '.yarn/berry',
      '.local/pipx',
      '.claude/plugins',
      '.codex/plugins',
      '.cursor/plugins',
      '.copilot/installed-plugins',
      '.gemini/extensions',
      '.qwen/extensions',
      // Extensions start servers too, and each of them has a package.json.
      ...['vscode', 'vscode-insiders', 'vscode-server', 'vscode-oss', 'cursor', 'cursor-server'].map(
        (editor) => `.${editor}/extensions`,
      ),
      ...['windsurf', 'windsurf-server', 'antigravity'].map((editor) => `.${editor}/extensions`),
      'Library/pnpm',
    ],
  },
  { variable: 'XDG_CACHE_HOME', usual: '.cache', folders: ['uv', 'npm', 'pnpm', 'yarn', 'pip', 'deno'] },
  { usual: 'Library/Caches', folders: ['uv', 'npm', 'pnpm', 'Yarn', 'pip', 'deno'] },
  { variable: 'XDG_DATA_HOME', usual: '.local/share', folders: ['uv', 'pnpm', 'pipx'] },
  { variable: 'XDG_CONFIG_HOME', usual: '.config', folders: [CLAUDE_EXTENSIONS, ...EDITOR_STORAGE] },
  { usual: 'Library/Application Support', folders: [CLAUDE_EXTENSIONS, ...EDITOR_STORAGE] },
  {
    variable: 'LOCALAPPDATA',
    usual: 'AppData/Local',
    folders: ['npm-cache', 'uv', 'pnpm', 'pnpm-cache', 'pnpm-store', 'Yarn', 'pip', 'deno'],
  },
  {
    variable: 'APPDATA',
    usual: 'AppData/Roaming',
    folders: ['npm', 'npm-cache', 'uv', CLAUDE_EXTENSIONS, ...EDITOR_STORAGE],
  },
  { variable: 'CLAUDE_CONFIG_DIR', folders: ['plugins'] },
  { variable: 'CODEX_HOME', folders: ['plugins'] },
  { variable: 'COPILOT_HOME', folders: ['installed-plugins'] },
  ...['npm_config_cache', 'NPM_CONFIG_CACHE', 'UV_CACHE_DIR', 'UV_TOOL_DIR', 'PNPM_HOME'].map((variable) => ({
    variable,
    folders: WHOLE,
  })),
];

export function findPlaces(home: string, env: Environment): Places {
  return { home, caches: cacheFolders({ home, env, real: realPath }) };
}

const VARIABLES = BASES.flatMap(({ variable }) => variable ?? []);
const LOOK_AGAIN_MS = 10_000;

/** Caches where these folders really lead, for a few seconds: looking it up costs some sixty system calls. */
export function createPlaceFinder(clock: Clock): (env: Environment) => Places {
  let last: { readonly key: string; readonly places: Places; readonly until: number } | undefined;
  return (env) => {
    const home = homeDirectory();
    const key = JSON.stringify([home, ...VARIABLES.map((name) => env[name])]);
    if (last?.key !== key || clock.elapsed() >= last.until)
      last = { key, places: findPlaces(home, env), until: clock.elapsed() + LOOK_AGAIN_MS };
    return last.places;
  };
}

export interface CacheFacts {
  readonly home: string;
  readonly env: Environment;
  /** Where a path really leads: projects are compared by that. */
  readonly real?: (absPath: string) => string | undefined;
}

export function cacheFolders(
  { home, env, real = () => undefined }: CacheFacts,
  path: PlatformPath = nodePath,
): readonly string[] {
  const named = BASES.flatMap(({ variable, usual, folders }) => {
    const said = variable === undefined ? undefined : env[variable];
    const moved = said !== undefined && path.isAbsolute(said) ? path.resolve(said) : undefined;
    // A cache that is said to be the home directory, or above it, would leave no place for a project.
    const trusted = moved === undefined || isInside(home, moved, path) ? [] : [moved];
    const bases = [...(usual === undefined ? [] : [home + below(usual, path)]), ...trusted];
    return bases.flatMap((base) => folders.map((folder) => base + below(folder, path)));
  });
  // Any part of the way may be a link: a home that is kept in a repository of dotfiles, a cache on a larger disk.
  const elsewhere = named.flatMap((folder) => real(folder) ?? []);
  return [...new Set([...named, ...elsewhere.filter((folder) => !isInside(home, folder, path))])];
}

function below(folder: string, path: PlatformPath): string {
  return folder === '' ? '' : path.sep + folder.replaceAll('/', path.sep);
}

/** Whether `inner` is `folder` or below it. Compares whole segments, so /a/bc is not inside /a/b. */
export function isInside(inner: string, folder: string, path: PlatformPath = nodePath): boolean {
  // Windows does not tell upper from lower case; the canonical path does, a variable may not.
  const [a, b] = path.sep === '\\' ? [inner.toLowerCase(), folder.toLowerCase()] : ([inner, folder] as const);
  return a === b || a.startsWith(b.endsWith(path.sep) ? b : b + path.sep);
}

/** The folders that HTTP clients may name projects in. */
export interface AllowedRoots {
  /** The disk as far as this caller may hear of it. Outside of it, the answer is the same whether a path exists or not. */
  readonly disk: Disk;
  /** Whether this real path may be a project; always true where the user set no limit. */
  allows(realRoot: string): boolean;
  /** The disk by which to look into a project. One outside was named by the user who set the limit. */
  diskOf(root: string): Disk;
}

export const NO_LIMIT: AllowedRoots = {
  disk: WHOLE_DISK,
  allows: () => true,
  diskOf: () => WHOLE_DISK,
};

export function createAllowedRoots(named: readonly string[]): AllowedRoots {
  if (named.length === 0) return NO_LIMIT;
  const folders = named.map(resolveDots);
  const disk = createDiskBeneath(folders);
  const realAtStart = folders.map((folder) => realPath(folder) ?? folder);
  return {
    disk,
    diskOf(root) {
      const names = [...folders, ...realAtStart, ...folders.map((folder) => realPath(folder) ?? folder)];
      return names.some((folder) => isInside(root, folder)) ? disk : WHOLE_DISK;
    },
    // Resolved on each call: a folder that is replaced must not keep its old meaning.
    allows: (realRoot) =>
      folders.some((folder) => {
        const real = realPath(folder);
        return real !== undefined && isInside(realRoot, real);
      }),
  };
}

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
