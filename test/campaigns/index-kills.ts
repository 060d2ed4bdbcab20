/** node scripts/run-ts.mjs test/campaigns/index-kills.ts --kills 200 [--files 600] [--seed 1] [--lanes 2] */
import { parseArgs } from 'node:util';
import { bundleEntry } from '../support/bundle-entry.ts';
import { runIndexKills } from './kills/index-kill-campaign.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    files: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    /** Projects at a time, each with its part of the kills. */
    lanes: { type: 'string', default: '1' },
  },
});
const started = performance.now();
const inspector = await bundleEntry('test/campaigns/kills/index-inspector.ts');
try {
  const lanes = Number(values.lanes);
  const reports = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      runIndexKills({
        inspector: inspector.absPath,
        kills: Math.ceil(Number(values.kills) / lanes),
        files: Number(values.files),
        seed: Number(values.seed) + 1_000 * lane,
      }),
    ),
  );
  const sum = (of: 'kills' | 'halfDone' | 'tooLate' | 'healed'): number =>
    reports.reduce((total, report) => total + report[of], 0);
  const findings = reports.flatMap((report) => report.findings);
  printVerdict(
    [
      atLeast('kills', sum('kills'), Number(values.kills)),
      shown('left some work committed', sum('halfDone')),
      shown('runs that were over too soon, and repeated', sum('tooLate')),
      atLeast('compared with a fresh index', sum('healed'), 1),
      none('indexes that were not sound, or not as a fresh one', findings.length),
      shown('time, s', (performance.now() - started) / 1000),
    ],
    findings,
  );
} finally {
  inspector.remove();
}
