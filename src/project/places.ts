/** Where this user's home is, and where programs unpack other people's code: caches of package runners, plugins of clients. */
import nodePath, { type PlatformPath } from 'node:path';
import type { Clock } from '../core/index.ts';
import { homeDirectory, realPath } from '../platform/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly home: string;
  /** Folders that hold nobody's project, nor does anything below them. */
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

/** For one call after another: where all these folders really lead is looked up once in a while, and not for each call. */
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
