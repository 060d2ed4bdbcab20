/** The chain: what every source said, in order of trust, becomes one decision. Pure. */
import { PROJECT_SOURCES, type Detection, type SourceReport } from '../core/index.ts';

/** The most trusted source that found a project wins; the reports come back in the chain's order. */
export function decideProject(reports: readonly SourceReport[]): Detection {
  const ordered = reports.toSorted(
    (a, b) => PROJECT_SOURCES.indexOf(a.source) - PROJECT_SOURCES.indexOf(b.source),
  );
  const winner = ordered.find((report) => report.kind === 'found');
  if (winner?.kind !== 'found') return { kind: 'none', reports: ordered };
  return { kind: 'found', project: winner.project, source: winner.source, reports: ordered };
}
