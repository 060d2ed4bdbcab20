/** How a project and the way it was found are put into words. */
import type { Detection, SourceReport } from '../core/index.ts';
import { escapeControl } from '../text/index.ts';

/** The line every answer carries: `project: web-shop (/home/me/web-shop, via roots)`. */
export function renderProjectLine(detection: Detection): string {
  if (detection.kind === 'none') return 'project: none';
  const { name, root } = detection.project;
  return `project: ${escapeControl(name)} (${escapeControl(root)}, via ${detection.source})`;
}

/** One line per source: what it said, and why it won or lost. */
export function renderReports(detection: Detection): string {
  const width = Math.max(...detection.reports.map((report) => report.source.length));
  return detection.reports
    .map((report) => `  ${report.source.padEnd(width)}  ${verdict(report, detection)}`)
    .join('\n');
}

export function verdict(report: SourceReport, detection: Detection): string {
  if (report.kind === 'nothing') return `nothing: ${escapeControl(report.reason)}`;
  const place = `${escapeControl(report.project.root)} (${report.via})`;
  if (detection.kind === 'found' && detection.source === report.source) return `won: ${place}`;
  return `lost to a more trusted source: ${place}`;
}
