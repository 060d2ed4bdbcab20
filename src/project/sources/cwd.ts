/** Sources `cwd` and `pwd`: where the process stands. Weak evidence, so it needs a marker or the user's word. */
import { isAbsolute } from 'node:path';
import type { ProjectSource, SourceReport } from '../../core/index.ts';
import { resolveMarkedDirectory, resolveNamedDirectory, resolveOpenDirectory } from '../identity.ts';
import { realPath } from '../../platform/index.ts';
import { whyForeign, type StartFacts } from '../foreign-start.ts';
import { isInside, type Places } from '../places.ts';
import { found, nothing } from './report.ts';

export type Transport = 'stdio' | 'http' | 'cli';

export interface CwdFacts {
  /** A directory that the user named at the start, in place of the working directory. */
  readonly given?: string | undefined;
  readonly cwd: string | undefined;
  /** The user started us with --project-from-cwd: the directory counts as named, marker or not. */
  readonly projectFromCwd: boolean;
  readonly transport: Transport;
  readonly places: Places;
  readonly start?: StartFacts;
}

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

export interface PwdFacts {
  readonly pwd: string | undefined;
  readonly cwd: string | undefined;
  readonly transport: Transport;
  readonly places: Places;
  readonly start?: StartFacts;
}

/**
 * An editor started from a terminal passes on the PWD of whatever project that terminal was in. Unless the process stands
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
