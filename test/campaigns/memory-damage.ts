/** npm run crash:damage -- [--copies 1000] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDamage } from './memory/damage-campaign.ts';
import { atLeast, none, printVerdict, shown } from './memory/verdict.ts';

const { values } = parseArgs({ options: { copies: { type: 'string', default: '1000' } } });
const folder = mkdtempSync(join(tmpdir(), 'waymark-damage-'));
try {
  const report = await runDamage(folder, Number(values.copies));
  printVerdict(
    [
      atLeast('damaged copies', report.copies, Number(values.copies)),
      none('crashes', report.crashes.length),
      shown('put aside, the others were hit where nothing is', report.quarantined),
      none('put aside other than they were', report.notKept),
      atLeast('share of entries on untouched pages that came back', report.salvagedShare, 0.99),
      shown('the least share of any copy', report.worstShare),
      none('entries that came back other than they were', report.wrong),
      none('memories of other projects that changed', report.othersTouched),
    ],
    report.crashes,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
