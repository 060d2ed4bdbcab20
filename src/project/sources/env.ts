/** Source `env`: variables that users and clients set to name the project. */
import { isAbsolute } from 'node:path';
import type { SourceReport } from '../../core/index.ts';
import { pathKind } from '../../platform/index.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { found, nothing } from './report.ts';

/** In order. Ours, those of a tool people migrate from, then what clients set by themselves. */
export const PROJECT_VARIABLES = [
  'WAYMARK_PROJECT',
  'COCOSEARCH_PROJECT_PATH',
  'COCOSEARCH_PROJECT',
  'CLAUDE_PROJECT_DIR',
  'CURSOR_PROJECT_DIR',
  'WORKSPACE_FOLDER_PATHS',
] as const;

export type ProjectVariable = (typeof PROJECT_VARIABLES)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** `onUnusable` hears of each variable that is set but names no usable directory. */
export function reportEnv(
  env: Environment,
  home: string,
  onUnusable: (name: string, message: string) => void = () => {},
): SourceReport {
  const rejected: string[] = [];
  for (const name of PROJECT_VARIABLES) {
    const value = readVariable(env, name);
    if (value === undefined || value === '' || isUnexpanded(value)) continue;
    const named = resolveNamedDirectory(value, home);
    if (named.kind === 'project') return found('env', named, name);
    rejected.push(`${name}: ${named.message}`);
    onUnusable(name, named.message);
  }
  return nothing('env', rejected.length > 0 ? rejected.join('; ') : 'no variable names a project');
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

function readVariable(env: Environment, name: ProjectVariable): string | undefined {
  return name === 'WORKSPACE_FOLDER_PATHS' ? env[name]?.split(',')[0]?.trim() : env[name];
}

/** A client that does not know a variable passes it on unexpanded: `${workspaceFolder}` names nothing. */
function isUnexpanded(value: string): boolean {
  return value.includes('${');
}
