/** npm run campaign:backups -- [--cases 1000] [--seed 1] */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBackups } from './backups/backup-campaign.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-backups-')));
try {
  const report = await runBackups({
    folder,
    program: resolve('dist/main.js'),
    cases: Number(values.cases),
    seed: Number(values.seed),
  });
  printVerdict(
    [
      atLeast('damaged or forged backups and imports', report.cases, Number(values.cases)),
      shown('refused whole', report.refused),
      shown('taken whole', report.taken),
      none('forged rows that were believed', report.believed.length),
      none('memories that were not as before, or taken in part', report.lost.length),
      none('internal errors, then or later', report.internal.length),
    ],
    [...report.believed, ...report.lost, ...report.internal],
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
