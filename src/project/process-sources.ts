/** Sources that this process was started with: variables, the directory given at start, the working directory and PWD. */
import { isAbsolute } from 'node:path';
import type { ProjectSource, SourceReport } from '../core/index.ts';
import { pathKind, realPath } from '../platform/index.ts';
import {
  findMarkedRoot,
  resolveMarkedDirectory,
  resolveNamedDirectory,
  resolveOpenDirectory,
  isInside,
  NO_LIMIT,
  type AllowedRoots,
  type Environment,
  type Places,
} from './identity.ts';
import { found, nothing } from './call-sources.ts';

export type Transport = 'stdio' | 'http' | 'cli';

/** Set on purpose: ours, then those of a tool people migrate from. */
const CHOSEN_VARIABLES = ['WAYMARK_PROJECT', 'COCOSEARCH_PROJECT_PATH', 'COCOSEARCH_PROJECT'] as const;
/** Set by clients for the servers they start. */
const CLIENT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'WORKSPACE_FOLDER_PATHS'] as const;

/** In order. */
export const PROJECT_VARIABLES = [...CHOSEN_VARIABLES, ...CLIENT_VARIABLES] as const;

export type ProjectVariable = (typeof PROJECT_VARIABLES)[number];

interface EnvFacts {
  readonly env: Environment;
  readonly transport: Transport;
  readonly places: Places;
  /** What this caller may hear of; all if left out. */
  readonly limit?: AllowedRoots;
  /** Hears of each variable that is set but names no usable directory. */
  readonly onUnusable?: (name: ProjectVariable, message: string) => void;
}

/** Source `env`: variables that users and clients set to name the project. */
export function reportEnv({
  env,
  transport,
  places,
  limit = NO_LIMIT,
  onUnusable = () => {},
}: EnvFacts): SourceReport {
  const rejected: string[] = [];
  for (const name of PROJECT_VARIABLES) {
    const value = readVariable(env, name);
    if (value === undefined || value === '' || isUnexpanded(value)) continue;
    // A server that was started from a client's terminal has that client's variables, and its callers are others: good
    // enough to read from, and to write to where a working directory would be, but not to leave their limit.
    const guessed = transport === 'http' && !isChosen(name);
    const named = resolveNamedDirectory(value, places, guessed ? limit.disk : undefined);
    if (named.kind === 'project') {
      return guessed
        ? { ...found('env', named, name, true), vcs: isVcsRoot(named.project.root, places) }
        : found('env', named, name);
    }
    // What is in the variable is nothing for callers from elsewhere; the log has it.
    rejected.push(
      `${name}: ${limit.disk.limited ? 'names no directory that can be used here' : named.message}`,
    );
    onUnusable(name, named.message);
  }
  return rejected.length > 0
    ? nothing('env', rejected.join('; '))
    : nothing('env', 'no variable names a project', 'not given');
}

/** What can be said of a variable without saying what is in it. */
export interface VariableReport {
  readonly name: ProjectVariable;
  readonly state: 'not set' | 'empty' | 'unexpanded' | 'no existing directory' | 'an existing directory';
}

/** For bug reports: values stay here. */
export function reportVariables(env: Environment): readonly VariableReport[] {
  return PROJECT_VARIABLES.map((name) => ({ name, state: stateOf(readVariable(env, name)) }));
}

function stateOf(value: string | undefined): VariableReport['state'] {
  if (value === undefined) return 'not set';
  if (value === '') return 'empty';
  if (isUnexpanded(value)) return 'unexpanded';
  return isAbsolute(value) && pathKind(value) === 'directory'
    ? 'an existing directory'
    : 'no existing directory';
}

function isChosen(name: ProjectVariable): boolean {
  return CHOSEN_VARIABLES.some((chosen) => chosen === name);
}

function readVariable(env: Environment, name: ProjectVariable): string | undefined {
  const value = env[name];
  if (name !== 'WORKSPACE_FOLDER_PATHS' || value === undefined) return value;
  // A list with commas, unless the comma is part of a folder's name: half of that name may be another project.
  return pathKind(value) === 'directory' ? value : value.split(',')[0]?.trim();
}

function isVcsRoot(root: string, { home }: Places): boolean {
  const marked = findMarkedRoot(root, home);
  return marked?.root === root && marked.kind === 'vcs';
}

/** A client that does not know a variable passes it on unexpanded: `${workspaceFolder}` names nothing. */
function isUnexpanded(value: string): boolean {
  return value.includes('${');
}

interface CwdFacts {
  /** A directory that the user named at the start, in place of the working directory. */
  readonly given?: string | undefined;
  readonly cwd: string | undefined;
  /** The user started us with --project-from-cwd: the directory counts as named, marker or not. */
  readonly projectFromCwd: boolean;
  readonly transport: Transport;
  readonly places: Places;
  readonly start?: StartFacts;
}

/** Source `cwd`: where the process stands. Weak evidence, so it needs a marker or the user's word. */
export function reportCwd(facts: CwdFacts): SourceReport {
  const { given, cwd, projectFromCwd, transport, places, start } = facts;
  if (given !== undefined) return reportGiven(given, places);
  if (cwd === undefined) return nothing('cwd', 'the working directory no longer exists');
  if (projectFromCwd) {
    const marked = resolveMarkedDirectory(cwd, places);
    const named = marked.kind === 'project' ? marked : resolveNamedDirectory(cwd, places);
    if (named.kind !== 'project') return nothing('cwd', named.message);
    return found('cwd', named, '--project-from-cwd');
  }
  if (transport === 'http')
    return nothing('cwd', 'not used over HTTP without --project-from-cwd', 'not used');
  const foreign = start && whyForeign(cwd, start);
  return foreign === undefined ? reportMarked('cwd', cwd, places) : nothing('cwd', foreign);
}

function reportGiven(given: string, places: Places): SourceReport {
  const named = resolveOpenDirectory(given, places);
  if (named.kind !== 'project') return nothing('cwd', named.message);
  const around = named.inside === undefined ? '' : `: ${named.inside}, which lies in this repository`;
  return found('cwd', named, `given at start${around}`);
}

interface PwdFacts {
  readonly pwd: string | undefined;
  readonly cwd: string | undefined;
  readonly transport: Transport;
  readonly places: Places;
  readonly start?: StartFacts;
}

/**
 * Source `pwd`. An editor started from a terminal passes on the PWD of whatever project that terminal was in. Unless the process stands
 * in the same project, the guess is good enough to read from, not to write to.
 */
export function reportPwd({ pwd, cwd, transport, places, start }: PwdFacts): SourceReport {
  if (transport === 'http') return nothing('pwd', 'not used over HTTP', 'not used');
  if (pwd === undefined || pwd === '') return nothing('pwd', 'PWD is not set', 'not given');
  if (!isAbsolute(pwd)) return nothing('pwd', 'PWD is not an absolute path');
  const foreign = start && whyForeign(pwd, start);
  if (foreign !== undefined) return nothing('pwd', foreign);
  const report = reportMarked('pwd', pwd, places);
  if (report.kind !== 'found') return report;
  const real = cwd === undefined ? undefined : realPath(cwd);
  return { ...report, vcs: report.vcs && real !== undefined && isInside(real, report.project.root) };
}

function reportMarked(source: ProjectSource, path: string, places: Places): SourceReport {
  const named = resolveMarkedDirectory(path, places);
  if (named.kind !== 'project') return nothing(source, named.message);
  return found(source, named, named.marker ?? 'marker', true);
}

/**
 * Clients whose servers are children of a daemon that outlives the session, by the name they give at the handshake: the
 * daemon stands in the project that it was first started for, and passes its environment on.
 */
const DAEMON_CLIENTS: Readonly<Record<string, string>> = { '@cline/core': 'Cline' };

/** Where a client unpacked the plugin that it starts a server for. */
const PLUGIN_VARIABLES = ['CLAUDE_PLUGIN_ROOT'] as const;

interface StartFacts {
  /** What the client calls itself, if it has said so. */
  readonly client: string | undefined;
  readonly env: Environment;
}

/** Why a directory that this process was started with is not the user's choice, or undefined if it may be. */
function whyForeign(directory: string, { client, env }: StartFacts): string | undefined {
  const daemon =
    client !== undefined && Object.hasOwn(DAEMON_CLIENTS, client) ? DAEMON_CLIENTS[client] : undefined;
  if (daemon !== undefined)
    return `not used: ${daemon} starts servers from a daemon, which may stand in another project`;
  const real = realPath(directory) ?? directory;
  const isPlugin = PLUGIN_VARIABLES.some((name) => {
    const root = env[name];
    return root !== undefined && isAbsolute(root) && isInside(real, realPath(root) ?? root);
  });
  return isPlugin ? "not used: it is the plugin's own folder" : undefined;
}
