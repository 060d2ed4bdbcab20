/** How a project and the way it was found are put into words. */
import type { Detection, FoundProject, Project, SourceReport } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';

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

/** One line per source: what it said, and why it won or lost. */
export function renderReports(detection: Detection): string {
  const width = Math.max(...detection.reports.map((report) => report.source.length));
  return detection.reports
    .map((report) => `  ${report.source.padEnd(width)}  ${verdict(report, detection)}`)
    .join('\n');
}

export function verdict(report: SourceReport, detection: Detection): string {
  switch (report.kind) {
    case 'nothing':
      return `nothing: ${escapeControl(report.reason)}`;
    case 'refused':
      return `refused: ${escapeControl(report.message)}`;
    case 'found': {
      const place = `${escapeControl(report.project.root)} (${escapeControl(report.via)}${report.weak ? ', weak' : ''})`;
      return isWinner(report, detection) ? `won: ${place}` : `lost to a more trusted source: ${place}`;
    }
  }
}

function isWinner(report: SourceReport, detection: Detection): detection is FoundProject {
  return detection.kind === 'found' && detection.source === report.source;
}

/** Projects to choose from, one per line. */
export function renderCandidates(candidates: readonly Project[]): string {
  if (candidates.length === 0) return 'No project is known yet.';
  const lines = candidates.map(({ name, root }) => `  ${escapeControl(name)} (${escapeControl(root)})`);
  return ['Known projects, most recent first:', ...lines].join('\n');
}
