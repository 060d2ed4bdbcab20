/** How a project and the way it was found are put into words. */
import type { Detection, FoundReport, Project, Silence, SourceReport, GitIdentity } from '../core/index.ts';
import { escapeControl, escapeName } from '../text/index.ts';

/** The line every answer carries: `project: web-shop (/home/me/web-shop, via roots)`. */
export function renderProjectLine(detection: Detection): string {
  if (detection.kind === 'refused') return `project: none (${escapeControl(detection.refused.message)})`;
  if (detection.kind === 'none') return 'project: none';
  const { name, root } = detection.project;
  return `project: ${escapeControl(name)} (${escapeControl(root)}, via ${detection.source})`;
}

/** The same for a program. */
export function toProjectValue(detection: Detection): { name: string; root: string; source: string } | null {
  if (detection.kind !== 'found') return null;
  return { name: detection.project.name, root: detection.project.root, source: detection.source };
}

/** What matters in one line: the project, and what is known of it. */
export function renderHeadline(detection: Detection, facts: readonly (string | undefined)[]): string {
  return [renderProjectLine(detection), ...facts.filter((fact) => fact !== undefined)].join(' · ');
}

/**
 * One line per source that said something, and why it won or lost; the others by name. Where no project was found, each has
 * a line: any of them may be the one that should have spoken.
 */
export function renderReports(detection: Detection): string {
  const spoke = detection.reports.filter((report) => !isSilent(report, detection));
  const width = Math.max(0, ...spoke.map((report) => report.source.length));
  return [
    ...spoke.map((report) => `  ${report.source.padEnd(width)}  ${verdict(report, detection)}`),
    ...SILENCES.flatMap((silence) => {
      const silent = detection.reports.filter(
        (report) => isSilent(report, detection) && report.kind === 'nothing' && report.silence === silence,
      );
      return silent.length === 0 ? [] : [`  ${silence}: ${silent.map(({ source }) => source).join(', ')}`];
    }),
  ].join('\n');
}

const SILENCES: readonly Silence[] = ['not asked', 'not used', 'not given'];

function isSilent(report: SourceReport, detection: Detection): boolean {
  return detection.kind === 'found' && report.kind === 'nothing' && report.silence !== undefined;
}

/** What a source came to, for a program. */
export interface SourceValue {
  readonly source: string;
  readonly outcome: 'won' | 'lost' | 'nothing' | 'refused';
  /** The project's root, where one was found. */
  readonly path: string | null;
  /** What of the source named it: a variable, a marker, the number of a root. */
  readonly via: string | null;
  /** Why it did not win. */
  readonly reason: string | null;
  readonly strength: 'strong' | 'weak' | null;
}

export function toSourceValue(report: SourceReport, detection: Detection): SourceValue {
  const { source } = report;
  const none = { path: null, via: null, strength: null };
  switch (report.kind) {
    case 'nothing':
      return { source, outcome: 'nothing', reason: report.reason, ...none };
    case 'refused':
      return { source, outcome: 'refused', reason: report.message, ...none };
    case 'found': {
      const reason = whyLost(report, detection) ?? null;
      const strength = report.weak ? 'weak' : 'strong';
      const outcome = reason === null ? 'won' : 'lost';
      return { source, outcome, path: report.project.root, via: report.via, reason, strength };
    }
  }
}

function verdict(report: SourceReport, detection: Detection): string {
  const { outcome, path, via, reason, strength } = toSourceValue(report, detection);
  if (path === null) return `${outcome}: ${escapeControl(reason ?? '')}`;
  const place = `${escapeControl(path)} (${escapeControl(via ?? '')}${strength === 'weak' ? ', weak' : ''})`;
  return outcome === 'won' ? `won: ${place}` : `lost ${reason}: ${place}`;
}

function whyLost(report: FoundReport, detection: Detection): string | undefined {
  if (detection.kind === 'found' && detection.source === report.source) return undefined;
  // A bad URL ends the search even where a more trusted source has found something.
  const isRefusal = detection.kind === 'refused' && detection.refused.source === 'query_param';
  return isRefusal ? 'because the URL names no usable project' : 'to a more trusted source';
}

/** The branch and the worktree, in words. */
export function renderGit({ branch, worktree }: GitIdentity): string {
  const place = worktree === undefined ? '' : `, worktree ${worktree}`;
  return escapeName(`${branch === undefined ? 'no branch' : `branch ${branch}`}${place}`);
}

export function toGitValue(git: GitIdentity | undefined) {
  if (git === undefined) return null;
  const { commonDir, branch, worktree, remote } = git;
  return {
    repository: commonDir,
    branch: branch ?? null,
    worktree: worktree ?? null,
    remote: remote ?? null,
  };
}

/** Projects to choose from, one per line. */
export function renderCandidates(candidates: readonly Project[]): string {
  if (candidates.length === 0) return 'No project is known yet.';
  const lines = candidates.map(({ name, root }) => `  ${escapeControl(name)} (${escapeControl(root)})`);
  return ['Known projects, most recent first:', ...lines].join('\n');
}
