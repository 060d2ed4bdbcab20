/** The process environment as a value, and the directories it names. The only place that touches process.env. */
import { isAbsolute, join, sep } from 'node:path';
import { AppError } from '../core/index.ts';
import { homeDirectory, resolveDots, workingDirectory } from '../platform/index.ts';
import type { XdgDefault } from './setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment as it is now; a later change of process.env does not show in it. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}

/**
 * Whether to colour output. What the user set for Waymark counts first. NO_COLOR beats FORCE_COLOR: escape codes in plain
 * text do more harm than missing colour.
 */
export function wantsColor(
  env: Environment,
  isTty: boolean,
  wanted: 'auto' | 'always' | 'never' = 'auto',
): boolean {
  if (wanted !== 'auto') return wanted === 'always';
  const force = env['FORCE_COLOR'];
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}

const APP_FOLDER = 'waymark';

/** HOME of the given environment, else of the machine. */
export function findHome(env: Environment): string | undefined {
  const named = [env['HOME'], env['USERPROFILE']].find((home) => home !== undefined && isAbsolute(home));
  if (named !== undefined) return named;
  try {
    return homeDirectory();
  } catch {
    // A user id without an account, as in containers. The caller that needs a home reports it.
    return undefined;
  }
}

export interface PathBase {
  readonly env: Environment;
  /** Where relative paths start. Asked only when it matters: absolute paths work even where the directory is gone. */
  folder(): string;
}

/** A written path as an absolute one: `~/` is the home directory, anything relative starts at the base. */
export function resolvePath(written: string, base: PathBase): string {
  if (isAbsolute(written)) return resolveDots(written);
  if (written !== '~' && !/^~[/\\]/.test(written)) return resolveDots(base.folder() + sep + written);
  return resolveDots((findHome(base.env) ?? failNoHome()) + written.slice(1));
}

/** The working directory, for flags and variables; relative text means nothing where it was removed. */
export function findCwd(cwd: string | undefined): string {
  const found = cwd ?? workingDirectory();
  if (found !== undefined) return found;
  throw new AppError('file_unavailable', 'The working directory no longer exists.', {
    hint: 'Change to a directory that does, or write absolute paths.',
  });
}

/** The same rule on every system, macOS and Windows included: one place to look, one line of documentation. */
export function xdgDirectory(wanted: XdgDefault, env: Environment): string {
  return xdgBase(env[wanted.variable], wanted.fallback, env) ?? failNoHome();
}

/** The user file's usual place, or undefined if there is no home directory to look in. */
export function usualUserFile(env: Environment): string | undefined {
  const folder = xdgBase(env['XDG_CONFIG_HOME'], '.config', env);
  return folder === undefined ? undefined : join(folder, 'config.json');
}

function xdgBase(named: string | undefined, fallback: string, env: Environment): string | undefined {
  // The XDG specification: a relative path is invalid and counts as unset.
  if (named !== undefined && isAbsolute(named)) return join(named, APP_FOLDER);
  const home = findHome(env);
  return home === undefined ? undefined : join(home, fallback, APP_FOLDER);
}

function failNoHome(): never {
  throw new AppError('bad_config', 'There is no home directory to put or find files in.', {
    hint: 'Set HOME, or name the directories with --data-dir and --cache-dir.',
  });
}
