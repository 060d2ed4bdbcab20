/** What is known of a client: where it keeps its servers, in which form, how it starts them; and whether it is on this machine. */
import { join } from 'node:path';
import { findHome } from '../config/index.ts';
import { findProgram, homeDirectory, pathExists } from '../platform/index.ts';
import type { Entry, EntryPath } from './edit/document-format.ts';
import type { FormatName } from './edit/edit-document.ts';

export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** The machine as far as paths depend on it. */
export interface Places {
  readonly system: 'linux' | 'darwin' | 'win32';
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a client writes a server that it starts itself. */
interface StdioShape {
  /** `list`: program and arguments are one list under `command`. */
  readonly program: 'command' | 'cmd' | 'list';
  readonly env: 'env' | 'environment' | 'envs';
  /** Keys before and after the command. */
  readonly first?: Entry;
  readonly last?: Entry;
}

/** `header`: a header in which the client puts the variable's value for `reads`. `name`: a key that holds its name. */
type TokenShape =
  | { readonly kind: 'header'; readonly reads: string; readonly also?: Entry }
  | { readonly kind: 'name'; readonly key: string };

/** How a file names a variable of the client's environment where the client puts the value in its place. */
export type VariableForm =
  | '${NAME}'
  | '${NAME:-default}'
  | '$NAME'
  | '${env:NAME}'
  | '{env:NAME}'
  | '${{ secrets.NAME }}';

/** How a client writes the address of a server that runs. */
export interface HttpShape {
  readonly address: 'url' | 'httpUrl' | 'serverUrl' | 'uri';
  /** How the file names the variable that holds the token. Left out where a token can only stand there in the clear. */
  readonly token?: TokenShape;
  /** The key that holds the headers; `headers` if left out. */
  readonly headers?: EntryPath;
  readonly first?: Entry;
  readonly last?: Entry;
}

/**
 * How we know. `run`: seen when the published client ran. `source`: read in the client's source or shipped program.
 * `documented`: the vendor says so. `reported`: users or other tools say so. `assumed`: there is no source.
 */
export type Certainty = 'run' | 'source' | 'documented' | 'reported' | 'assumed';

export interface Client {
  readonly id: string;
  readonly name: string;
  /** Any of these on the machine says that it is installed. */
  readonly signs: (places: Places) => readonly string[];
  readonly programs: readonly string[];
  /** The file to edit: the first that exists, else the first. */
  readonly userFiles?: (places: Places) => readonly [string, ...string[]];
  /** The same, relative to the project's root. */
  readonly projectFiles?: readonly [string, ...string[]];
  readonly format: FormatName;
  /** The key that holds the servers. */
  readonly key: EntryPath;
  readonly stdio: StdioShape;
  /** Left out where the file cannot name an address. */
  readonly http?: HttpShape;
  /** The variable that the client replaces with the open folder. */
  readonly workspaceVariable?: string;
  /** The forms of variables that the client expands, and whether in headers alone; it expands none if left out. */
  readonly expands?: { readonly forms: readonly VariableForm[]; readonly only?: 'headers' };
  /** Why setup must not create the file: with only our entry in it, the client would lose its defaults. */
  readonly needsFile?: string;
  /** What has to happen before the client reads a file of the project. */
  readonly projectFilesNeed?: string;
  /** Tells its servers nothing about the project: entries in a project's own file name the root. */
  readonly namesNoProject?: true;
  /** What its servers get: where they start, and how much of the environment. */
  readonly starts: { readonly in: 'project' | 'home' | 'root'; readonly env: 'whole' | 'desktop' | 'basic' };
  readonly restart: string;
  /** The date is that of the version looked at. */
  readonly known: {
    readonly file: Certainty;
    readonly entry: Certainty;
    readonly starts: Certainty;
    readonly seen: string;
    readonly at: string;
    readonly doubt?: string;
  };
}

export function currentPlaces(env: Places['env']): Places {
  const { platform } = process;
  return {
    system: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    home: findHome(env) ?? homeDirectory(),
    env,
  };
}

/** What says that the client is installed: a path of its own, or its program on the path. */
export function findSign(client: Client, places: Places): string | undefined {
  const sign = client.signs(places).find((absPath) => pathExists(absPath));
  if (sign !== undefined) return sign;
  const search = { path: places.env['PATH'], extensions: places.env['PATHEXT'] };
  return client.programs.map((name) => findProgram(name, search)).find((found) => found !== undefined);
}

/** `$XDG_CONFIG_HOME`, else `~/.config`: for programs that use it on every system. */
export function configHome({ env, home }: Places): string {
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

/** Where desktop programs keep their settings. */
export function appFolder(places: Places, name: string): string {
  const { system, home, env } = places;
  if (system === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (system === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), name);
  return join(configHome(places), name);
}

/** The settings folder of an extension of VS Code. */
export function extensionSettings(places: Places, extension: string): string {
  return join(appFolder(places, 'Code'), 'User', 'globalStorage', extension, 'settings');
}
