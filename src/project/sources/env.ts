/** Source `env`: variables that users and clients set to name the project. */
import type { SourceReport } from '../../core/index.ts';
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

/** `onUnusable` hears of each variable that is set but names no usable directory. */
export function reportEnv(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  onUnusable: (name: string, message: string) => void = () => {},
): SourceReport {
  const rejected: string[] = [];
  for (const name of PROJECT_VARIABLES) {
    const value = name === 'WORKSPACE_FOLDER_PATHS' ? env[name]?.split(',')[0]?.trim() : env[name];
    // A client that does not know a variable passes it on unexpanded: `${workspaceFolder}` names nothing.
    if (value === undefined || value === '' || value.includes('${')) continue;
    const named = resolveNamedDirectory(value, home);
    if (named.kind === 'project') return found('env', named, name);
    rejected.push(`${name}: ${named.message}`);
    onUnusable(name, named.message);
  }
  return nothing('env', rejected.length > 0 ? rejected.join('; ') : 'no variable names a project');
}
