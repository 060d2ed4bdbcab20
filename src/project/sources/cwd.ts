/** Sources `cwd` and `pwd`: where the process stands. Weak evidence, so it needs a marker or the user's word. */
import { isAbsolute } from 'node:path';
import type { ProjectSource, SourceReport } from '../../core/index.ts';
import { realPath } from '../../platform/index.ts';
import { resolveNamedDirectory, toProject } from '../identity.ts';
import { findMarkedRoot } from '../markers.ts';
import { whyNeverProject } from '../never-projects.ts';

export type Transport = 'stdio' | 'http' | 'cli';

export interface CwdFacts {
  readonly cwd: string | undefined;
  /** The user started us with --project-from-cwd: the directory counts as named, marker or not. */
  readonly projectFromCwd: boolean;
  readonly transport: Transport;
  readonly home: string;
}

export function reportCwd(facts: CwdFacts): SourceReport {
  if (facts.cwd === undefined) return nothing('cwd', 'the working directory no longer exists');
  if (facts.projectFromCwd) {
    const marked = findMarkedRoot(realPath(facts.cwd) ?? facts.cwd, facts.home);
    const named = resolveNamedDirectory(marked?.root ?? facts.cwd, facts.home);
    if (named.kind === 'unusable') return nothing('cwd', named.reason);
    return { kind: 'found', source: 'cwd', project: named.project, via: '--project-from-cwd' };
  }
  if (facts.transport === 'http') return nothing('cwd', 'not used over HTTP without --project-from-cwd');
  return reportMarked('cwd', facts.cwd, facts.home);
}

export function reportPwd(
  env: Readonly<Record<string, string | undefined>>,
  transport: Transport,
  home: string,
): SourceReport {
  const pwd = env['PWD'];
  if (transport === 'http') return nothing('pwd', 'not used over HTTP');
  if (pwd === undefined || pwd === '') return nothing('pwd', 'PWD is not set');
  if (!isAbsolute(pwd)) return nothing('pwd', 'PWD is not an absolute path');
  return reportMarked('pwd', pwd, home);
}

function reportMarked(source: ProjectSource, path: string, home: string): SourceReport {
  const real = realPath(path);
  if (real === undefined) return nothing(source, `does not exist: ${path}`);
  const marked = findMarkedRoot(real, home);
  if (marked === undefined) return nothing(source, `${real} is not inside a project (no .git or manifest)`);
  const never = whyNeverProject(marked.root, home);
  if (never !== undefined) return nothing(source, `${marked.root} is never a project: ${never}`);
  return { kind: 'found', source, project: toProject(marked.root), via: marked.marker };
}

function nothing(source: ProjectSource, reason: string): SourceReport {
  return { kind: 'nothing', source, reason };
}
