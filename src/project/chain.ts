/** The chain: what every source said, in order of trust, becomes one decision. Pure. */
import { PROJECT_SOURCES, type Detection, type FoundReport, type SourceReport } from '../core/index.ts';

/**
 * The most trusted source that found a project wins. A source that named a directory which cannot be used ends the chain
 * where it stands: to guess on would be to answer from a project nobody meant. A bad URL ends it even where roots would
 * have won, because the URL is part of the user's own configuration.
 */
export function decideProject(unordered: readonly SourceReport[]): Detection {
  const reports = unordered.toSorted(
    (a, b) => PROJECT_SOURCES.indexOf(a.source) - PROJECT_SOURCES.indexOf(b.source),
  );
  const badUrl = reports.find((report) => report.kind === 'refused' && report.source === 'query_param');
  const decisive = reports.find((report) => report.kind !== 'nothing');
  const refused = badUrl?.kind === 'refused' ? badUrl : decisive;
  if (refused?.kind === 'refused') return { kind: 'refused', refused, reports };
  if (decisive?.kind !== 'found') return { kind: 'none', reports };
  const { project, source, via, weak, vcs } = decisive;
  const losers = reports.filter(
    (report): report is FoundReport => report.kind === 'found' && report.project.root !== project.root,
  );
  const disagreements = losers.map((loser) => ({ winner: decisive, loser }));
  return { kind: 'found', project, source, via, weak, vcs, disagreements, reports };
}
