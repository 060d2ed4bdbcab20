/** Source `query_param`: `?project_path=` in the URL the client was configured with. */
import type { SourceReport } from '../../core/index.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { forbidden, found, nothing, refused, resolveAllowed, type SourceRules } from './report.ts';

export const PROJECT_PARAMETER = 'project_path';

export function reportQueryParam(value: string | undefined, rules: SourceRules): SourceReport {
  if (value === undefined) return nothing('query_param', 'the URL names no project');
  // A client that does not know a variable passes it on unexpanded: `${workspaceFolder}` names nothing.
  if (value === '' || value.includes('${'))
    return nothing('query_param', 'the URL holds an unexpanded variable');
  const named = resolveAllowed(value, resolveNamedDirectory, rules);
  if (named === 'forbidden') return forbidden('query_param', value);
  if (named.kind === 'unusable') return refused('query_param', named.message);
  return found('query_param', named, `?${PROJECT_PARAMETER}=`);
}
