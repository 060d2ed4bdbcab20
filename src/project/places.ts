/** Folders that matter to detection: the home directory, caches of other people's code, and those that HTTP clients may name. */
import nodePath, { type PlatformPath } from 'node:path';
import type { Clock } from '../core/index.ts';
import { homeDirectory, realPath, resolveDots } from '../platform/index.ts';
import { createDiskBeneath, WHOLE_DISK, type Disk } from '../workspace/index.ts';

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
