/** Source `query_param`: `?project_path=` in the URL the client was configured with. */
import type { SourceReport } from '../../core/index.ts';
import { resolveNamedDirectory } from '../identity.ts';
import { forbidden, found, nothing, refused, resolveAllowed, type SourceRules } from './report.ts';

/** Several values if the URL gives different ones. */
export type QueryPath = string | readonly string[];

export const PROJECT_PARAMETER = 'project_path';

export function reportQueryParam(value: QueryPath | undefined, rules: SourceRules): SourceReport {
  if (value === undefined) return nothing('query_param', 'the URL names no project', 'not given');
  // Whoever wrote the parameter meant a project. Empty, or a variable that the client left as it was, is a relative path
  // like any other: to go on without it would answer from a project that nobody named.
  if (typeof value !== 'string')
    return refused('query_param', `Project path is given more than once: ${value.join(', ')}`);
  const named = resolveAllowed(value, resolveNamedDirectory, rules);
  if (named === 'forbidden') return forbidden('query_param', value);
  if (named.kind === 'unusable') return refused('query_param', named.message);
  return found('query_param', named, `?${PROJECT_PARAMETER}=`);
}
