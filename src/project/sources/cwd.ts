/** Sources `cwd` and `pwd`: where the process stands. Weak evidence, so it needs a marker or the user's word. */
import { isAbsolute } from 'node:path';
import type { ProjectSource, SourceReport } from '../../core/index.ts';
import { resolveMarkedDirectory, resolveNamedDirectory } from '../identity.ts';
import { realPath } from '../../platform/index.ts';
import { isInside } from '../never-projects.ts';
import { found, nothing } from './report.ts';

export type Transport = 'stdio' | 'http' | 'cli';

export interface CwdFacts {
  readonly cwd: string | undefined;
  /** The user started us with --project-from-cwd: the directory counts as named, marker or not. */
  readonly projectFromCwd: boolean;
  readonly transport: Transport;
  readonly home: string;
}

export function reportCwd({ cwd, projectFromCwd, transport, home }: CwdFacts): SourceReport {
  if (cwd === undefined) return nothing('cwd', 'the working directory no longer exists');
  if (projectFromCwd) {
    const marked = resolveMarkedDirectory(cwd, home);
    const named = marked.kind === 'project' ? marked : resolveNamedDirectory(cwd, home);
    if (named.kind === 'unusable') return nothing('cwd', named.message);
    return found('cwd', named, '--project-from-cwd');
  }
  if (transport === 'http') return nothing('cwd', 'not used over HTTP without --project-from-cwd');
  return reportMarked('cwd', cwd, home);
}

export interface PwdFacts {
  readonly pwd: string | undefined;
  readonly cwd: string | undefined;
  readonly transport: Transport;
  readonly home: string;
}

/**
 * An editor started from a terminal passes on the PWD of whatever project that terminal was in. Unless the process stands
 * in the same project, the guess is good enough to read from, not to write to.
 */
export function reportPwd({ pwd, cwd, transport, home }: PwdFacts): SourceReport {
  if (transport === 'http') return nothing('pwd', 'not used over HTTP');
  if (pwd === undefined || pwd === '') return nothing('pwd', 'PWD is not set');
  if (!isAbsolute(pwd)) return nothing('pwd', 'PWD is not an absolute path');
  const report = reportMarked('pwd', pwd, home);
  if (report.kind !== 'found') return report;
  const real = cwd === undefined ? undefined : realPath(cwd);
  return { ...report, vcs: report.vcs && real !== undefined && isInside(real, report.project.root) };
}

function reportMarked(source: ProjectSource, path: string, home: string): SourceReport {
  const named = resolveMarkedDirectory(path, home);
  if (named.kind === 'unusable') return nothing(source, named.message);
  return found(source, named, named.marker ?? 'marker', true);
}
