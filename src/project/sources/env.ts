/** Source `env`: variables that users and clients set to name the project. */
import { isAbsolute } from 'node:path';
import type { SourceReport } from '../../core/index.ts';
import { pathKind } from '../../platform/index.ts';
import { NO_LIMIT, type AllowedRoots } from '../allowed-roots.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { findMarkedRoot } from '../markers.ts';
import type { Environment, Places } from '../places.ts';
import type { Transport } from './cwd.ts';
import { found, nothing } from './report.ts';

/** Set on purpose: ours, then those of a tool people migrate from. */
const CHOSEN_VARIABLES = ['WAYMARK_PROJECT', 'COCOSEARCH_PROJECT_PATH', 'COCOSEARCH_PROJECT'] as const;
/** Set by clients for the servers they start. */
const CLIENT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'WORKSPACE_FOLDER_PATHS'] as const;

/** In order. */
export const PROJECT_VARIABLES = [...CHOSEN_VARIABLES, ...CLIENT_VARIABLES] as const;

export type ProjectVariable = (typeof PROJECT_VARIABLES)[number];

export interface EnvFacts {
  readonly env: Environment;
  readonly transport: Transport;
  readonly places: Places;
  /** What this caller may hear of; all if left out. */
  readonly limit?: AllowedRoots;
  /** Hears of each variable that is set but names no usable directory. */
  readonly onUnusable?: (name: ProjectVariable, message: string) => void;
}

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
